// Every SMS does without á, í, ó and ú: the GSM alphabet has none of them, and a single one would cut the length of an SMS
// to 70 characters.

import { duration, fitted, type Language } from './wording.ts'

const tag = 'es-US'

const EN_ORDEN = 'Si ha sido usted, todo está en orden y no tiene que hacer nada más.'
const AVISE =
  'Si no ha sido usted, avise enseguida a las personas que administran su cuenta para que puedan protegerla.'

export const spanish: Language = {
  tag,
  copyLink: 'O copie esta dirección en su navegador:',
  signature: 'Un saludo cordial de Almoner',
  wordings: {
    invitation({ organization, firstName, link, days }) {
      const time = duration(tag, 'day', days)
      return {
        subject: `${organization} le invita a Almoner`,
        greeting: `Hola, ${firstName}:`,
        before: [
          `${organization} le invita a Almoner, donde las personas y sus equipos de atención se mantienen en contacto.`,
          `Elija una contraseña para abrir su cuenta. El enlace funciona durante ${time}.`,
        ],
        action: { label: 'Abrir mi cuenta', link },
        after: [
          `Si el enlace ya no funciona, ${organization} puede enviarle otro.`,
          'Si no esperaba esta invitación, no tiene que hacer nada: sin usted no se abre ninguna cuenta.',
        ],
        sms: fitted(
          organization,
          (name) => `${name} le invita a Almoner. Abra su cuenta; el enlace vale ${time.replace('í', 'i')}: ${link}`,
        ),
      }
    },
    'password-reset'({ firstName, link, minutes }) {
      const time = duration(tag, 'minute', minutes)
      return {
        subject: 'Elija una contraseña nueva',
        greeting: `Hola, ${firstName}:`,
        before: [
          'Hemos recibido una solicitud para cambiar la contraseña de su cuenta.',
          `Puede elegir una nueva ahora. El enlace funciona durante ${time}.`,
        ],
        action: { label: 'Elegir una contraseña nueva', link },
        after: [
          'Si no lo ha pedido usted, no tiene que hacer nada: su contraseña sigue siendo la misma.',
          'Por favor, no reenvíe este mensaje. Quien tenga el enlace puede cambiar su contraseña.',
        ],
        sms: `Almoner: cambie su contraseña (vale ${time}): ${link} ¿No fue usted? Ignore esto.`,
      }
    },
    'mfa-code'({ firstName, code, minutes }) {
      const time = duration(tag, 'minute', minutes)
      return {
        subject: 'Su código de Almoner',
        greeting: `Hola, ${firstName}:`,
        before: [`Este es su código. Funciona durante ${time}.`],
        code,
        after: [
          'Es solo para usted. Nunca se lo pediremos, ni por teléfono ni por mensaje.',
          'Si no ha pedido ningún código, es posible que otra persona conozca su contraseña. Por favor, cámbiela pronto.',
        ],
        sms: `Almoner: ${code} es su clave de un solo uso. Vale ${time} y es solo para usted. Si no la ha pedido, cambie su contraseña, por favor.`,
      }
    },
    'password-changed': ({ firstName }) => ({
      subject: 'Su contraseña ha cambiado',
      greeting: `Hola, ${firstName}:`,
      before: ['Se acaba de cambiar la contraseña de su cuenta.', EN_ORDEN],
      after: [AVISE],
      sms: 'Almoner: su contraseña ha cambiado. Si no ha sido usted, avise enseguida a quienes administran su cuenta.',
    }),
    'second-factor-on': ({ firstName }) => ({
      subject: 'Su cuenta pide ahora un código',
      greeting: `Hola, ${firstName}:`,
      before: [
        'Desde ahora, para entrar en su cuenta hace falta un código de su aplicación de autenticación.',
        EN_ORDEN,
      ],
      after: [AVISE],
      sms: 'Almoner: ahora hace falta un codigo para entrar. Si no ha sido usted, avise enseguida a quienes administran su cuenta.',
    }),
    'second-factor-off': ({ firstName }) => ({
      subject: 'Su cuenta ya no pide un código',
      greeting: `Hola, ${firstName}:`,
      before: ['Para entrar en su cuenta ya no hace falta un código de una aplicación de autenticación.', EN_ORDEN],
      after: [AVISE],
      sms: 'Almoner: ya no hace falta un codigo para entrar. Si no ha sido usted, avise enseguida a quienes administran su cuenta.',
    }),
    'webhook-failing': ({ firstName, organization, host }) => ({
      subject: 'Un webhook se ha detenido',
      greeting: `Hola, ${firstName}:`,
      before: [
        `Desde hace un día no llega nada de lo que ${organization} envía a ${host}. Ese webhook está ahora desactivado.`,
        'Lo que ocurra desde ahora no se enviará allí, y lo que estaba en espera tampoco.',
      ],
      after: [
        'El webhook y sus entregas indican qué ha fallado. Cuando esté arreglado, actívelo de nuevo, por favor.',
        'Las entregas de los últimos 30 días se pueden volver a enviar una por una.',
      ],
      sms: fitted(host, (name) => `Almoner: un webhook hacia ${name} ha fallado todo un dia y se ha desactivado.`),
    }),
    'webhook-gone': ({ firstName, organization, host }) => ({
      subject: 'Un webhook ha terminado',
      greeting: `Hola, ${firstName}:`,
      before: [
        `${host} ha respondido que ya no existe y que no quiere recibir lo que ${organization} le envía. Ese webhook está ahora desactivado.`,
      ],
      after: [
        'Si es correcto, puede eliminar el webhook. Si no lo es, consulte a quien administra el receptor y actívelo de nuevo.',
      ],
      sms: fitted(
        host,
        (name) => `Almoner: ${name} ya no existe. El webhook que lleva hasta ese lugar se ha desactivado.`,
      ),
    }),
  },
}
