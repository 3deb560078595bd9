import { messages } from '../../language/language.ts'

export const administration = messages(
  {
    title: 'Administration',
    places: {
      users: 'Users',
      organization: 'Organization',
      security: 'Security',
      serviceAccounts: 'Devices and jobs',
      webhooks: 'Webhooks',
      classifications: 'Classifications',
      outbox: 'Outbox',
      audit: 'Audit log',
    },
  },
  {
    title: 'Administración',
    places: {
      users: 'Usuarios',
      organization: 'Organización',
      security: 'Seguridad',
      serviceAccounts: 'Dispositivos y tareas',
      webhooks: 'Webhooks',
      classifications: 'Clasificaciones',
      outbox: 'Mensajes salientes',
      audit: 'Registro de auditoría',
    },
  },
)
