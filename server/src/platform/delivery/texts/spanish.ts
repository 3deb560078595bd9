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
  },
}
