// What events mean and why a delivery failed: the service's own words, and Spanish ones for those who read Spanish.

import { events } from '@almoner/client'
import { useLanguage } from '../../../language/language.ts'

type Kind = keyof typeof events

const MEANINGS_ES: Record<Kind, string> = {
  'group.created': 'Se creó un grupo.',
  'group.updated': 'Se cambió el nombre u otro dato de un grupo.',
  'group.members-changed': 'Entraron personas en un grupo o salieron de él.',
  'group.moved': 'Un grupo se puso debajo de otro, o arriba del todo.',
  'individual.created': 'Se agregó un paciente, a mano o por una importación.',
  'individual.updated': 'Se cambiaron los datos de un paciente.',
  'individual.archived': 'Se archivó a un paciente.',
  'individual.disabled': 'Se desactivó a un paciente.',
  'individual.restored': 'Se restauró a un paciente archivado o desactivado.',
  'individual.merged': 'Dos registros resultaron ser la misma persona y se unieron.',
  'metric.alert-fired': 'Una regla encontró algo en las lecturas de un paciente, o que no las había.',
  'metric.alert-acknowledged': 'Alguien se ocupa de una alerta.',
  'metric.alert-cleared': 'Una alerta terminó.',
  'notification.created': 'Se avisó de algo a alguien; la persona del evento es quien recibió el aviso.',
  'notification.read': 'Alguien leyó un aviso; la persona del evento es quien lo leyó.',
  'webhook.disabled': 'Se desactivó un webhook, porque no se le podía entregar nada.',
  'webhook.test': 'Alguien probó un webhook: solo ese lo recibe.',
}

const FAILURES_ES: Record<string, string> = {
  'The host leads nowhere, or to an address that may not be sent to.':
    'El nombre del servidor no lleva a ninguna parte, o a una dirección a la que no se puede enviar.',
  'The connection was closed before an answer came.': 'La conexión se cerró antes de que llegara una respuesta.',
  'The host could not be reached.': 'No se pudo llegar al servidor.',
  'The connection was refused.': 'El servidor rechazó la conexión.',
}

export function useWebhookWords() {
  const language = useLanguage()
  return {
    meaningOf: (kind: Kind) => (language === 'es' ? MEANINGS_ES[kind] : events[kind].description),
    failure: (written: string) => (language === 'es' ? (FAILURES_ES[written] ?? written) : written),
  }
}
