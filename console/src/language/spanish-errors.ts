// The service says what went wrong in English. What people meet in the console is said in Spanish here, with what the
// service names in braces; the rest is shown as the service says it.

import type { ErrorCode, ErrorEntry } from '@almoner/client'

const wordings: Partial<Record<ErrorCode, string>> = {
  AlertNotOpen: 'Esta alerta ya no está abierta. Vuelva a cargarla para ver qué pasó con ella.',
  AlreadyRegistered: 'Este usuario ya está registrado y no necesita una invitación.',
  AutomaticGroup: 'Este grupo se mantiene solo: ni sus miembros, ni su lugar, ni si está activo pueden cambiarse.',
  BodyTooLarge: 'Es más de lo que se puede enviar de una vez. Envíe menos.',
  CsvCellCount:
    'Esta línea tiene {cells} celdas y el encabezado {columns}. Ponga entre comillas los valores que contienen el separador.',
  CsvColumnMissing: 'Al archivo le falta la columna {column}. Agréguela.',
  CsvColumnTwice: 'El archivo tiene la columna {column} más de una vez. Deje solo una.',
  CsvColumnUnknown: 'Una importación no conoce la columna {column}. Cámbiele el nombre o quítela. Acepta {columns}.',
  CsvEmpty: 'El archivo no tiene líneas debajo de la que nombra sus columnas.',
  CsvMalformed: 'El archivo no es CSV a partir de la línea {line}: {reason}.',
  CsvTooManyLines: 'El archivo tiene más de {limit} líneas. Divídalo.',
  CsvWithoutHeader:
    'La primera línea del archivo debe nombrar sus columnas, de entre {columns}. No nombra ninguna de ellas.',
  GroupCircle: 'Un grupo no puede ponerse debajo de sí mismo ni de los que dependen de él. Elija otro lugar.',
  InternalError: 'Algo falló de nuestro lado. Mencione el id. de solicitud {requestId} cuando lo comunique.',
  LastAdministrator: 'Una organización conserva al menos un administrador que puede iniciar sesión.',
  LinkExpired: 'Este enlace ha caducado. Pida uno nuevo.',
  LinkInvalid: 'Este enlace no es válido. Abra el mensaje más reciente que recibió o pida uno nuevo.',
  LinkUsed: 'Este enlace ya se usó. Inicie sesión o pida uno nuevo.',
  LoginFailed: 'El nombre de usuario o la contraseña no son correctos.',
  MfaCodeWrong: 'El código no es correcto o ha caducado. Pida uno nuevo después de cinco intentos.',
  MfaTicketInvalid: 'El código ya no vale. Pida uno nuevo.',
  MissingValue: 'Falta un dato en {pointer}.',
  NoContact: 'Este usuario no tiene correo o teléfono al que enviarlo. Agréguelo o elija otra vía.',
  NotFound: 'No existe, o usted no puede verlo.',
  PasswordLeaked: 'Esta contraseña está entre las que se han filtrado. Elija otra.',
  PasswordResetRequired: 'Hay que elegir una contraseña nueva antes de iniciar sesión. Pida un enlace.',
  PasswordTooShort: 'Esta contraseña es demasiado corta. Use al menos {least} caracteres.',
  PasswordTooWeak: 'Esta contraseña es demasiado fácil de adivinar. {suggestions}',
  PasswordWrong: 'La contraseña actual no es correcta.',
  PermissionDenied: 'Su función no permite hacer esto.',
  ProviderOnlyGroup: 'Un equipo de atención no admite pacientes. Use un grupo.',
  QuotaExceeded: 'Se hicieron demasiadas solicitudes. Inténtelo de nuevo en {seconds} segundos.',
  RecordMerged: 'Este registro se unió a otro. Use ese.',
  RequestInProgress: 'La primera solicitud todavía está en curso. Inténtelo de nuevo en un momento.',
  ShippedClassificationSet: 'Este conjunto viene con el producto y no se cambia. Cree uno propio para el mismo campo.',
  StateNotAllowed: 'Este usuario no puede pasar a ese estado desde el que tiene ahora.',
  StillChecking: 'Su última contraseña todavía se está comprobando. Inténtelo de nuevo en {seconds} segundos.',
  TagExists: 'Ya hay una etiqueta con el nombre {name}.',
  TokenExpired: 'La sesión ha caducado. Inicie sesión de nuevo.',
  TokenInvalid: 'La sesión ya no es válida. Inicie sesión de nuevo.',
  TooManyFaults: 'Hay {count} errores más que no se muestran.',
  TooManyMessages: 'Esta persona ya recibió muchos mensajes. Inténtelo de nuevo en {seconds} segundos.',
  TooManyPeriods: 'Hay lecturas de más de {days} días en este período. Elija uno más corto.',
  TooManySignInAttempts: 'Demasiados intentos fallidos. Inténtelo de nuevo en {seconds} segundos.',
  TooManyWebhooks: 'Una organización tiene como máximo {limit} webhooks. Elimine uno que ya no se necesite.',
  TotpAlreadyEnabled: 'Ya hay otra aplicación de autenticación activada. Desactívela primero.',
  TotpCodesWrong: 'No son dos códigos que se siguen. Espere uno nuevo y escriba los dos.',
  TotpInvalid: 'El código no es correcto o ya se usó. Espere uno nuevo.',
  UsernameMismatch: 'El nombre de usuario debe ser el correo electrónico o el teléfono móvil.',
  UsernameTaken: 'Ya hay un usuario con este nombre de usuario.',
  WebhookDisabled: 'Este webhook está desactivado. Actívelo primero.',
}

/** What is wrong with a value. The first that fits counts; `$1` is what the service names. */
const faults: [fault: RegExp, words: string][] = [
  [/^must not be (?:empty|blank)$/, 'No puede quedar vacío.'],
  [/^must have at least (\d+) characters$/, 'Debe tener al menos $1 caracteres.'],
  [/^must have at most (\d+) characters$/, 'Debe tener como máximo $1 caracteres.'],
  [/^must not be an empty list$/, 'Elija al menos uno.'],
  [/^must have at least (\d+) items$/, 'Elija al menos $1.'],
  [/^must have at most (\d+) items$/, 'Elija como máximo $1.'],
  [/^must be at least (\S+)$/, 'Debe ser $1 o más.'],
  [/^must be at most (\S+)$/, 'Debe ser $1 o menos.'],
  [/^must be (?:a whole number|a number) from (\S+) to (\S+)$/, 'Debe ser un número de $1 a $2.'],
  [/^must be a text of 1 to (\d+) characters$/, 'Debe ser un texto de 1 a $1 caracteres.'],
  [/^must be one of (.+)$/, 'Debe ser uno de estos: $1.'],
  [/^must be a real calendar date/, 'Debe ser una fecha que exista, AAAA-MM-DD.'],
  [/^must be a datetime/, 'Debe ser una fecha con su hora.'],
  [/^must be a time of day/, 'Debe ser una hora de 00:00 a 23:59.'],
  [/^must be a time zone/, 'Debe ser una zona horaria, como America/New_York.'],
  [/^must be an email address/, 'Debe ser un correo electrónico, como nombre@example.org.'],
  [/^must be a phone number in/, 'Debe ser un teléfono con el código del país, como +12025550123.'],
  [/^must be a phone number that exists/, 'Debe ser un teléfono que exista, como +12025550123.'],
  [/^must be a uuid/, 'Debe ser un identificador, como 0198c5a0-7d2c-7a31-9c55-3f6f0f1b2c3d.'],
  [/^must not lie in the future$/, 'No puede estar en el futuro.'],
  [/^must not be before (\S+)$/, 'No puede ser anterior al $1.'],
  [/^must be an active group for patients/, 'Debe ser un grupo activo de esta organización que admita pacientes.'],
  [/^must be (?:a|the id of a|the id of another) (?:regular )?group/, 'Debe ser un grupo de esta organización.'],
  [/^must be a patient/, 'Debe ser un paciente de esta organización.'],
  [/^must be a tag/, 'Debe ser una etiqueta de esta organización.'],
  [/^must be another record$/, 'Debe ser otro registro.'],
  [/^must be greater than from$/, 'Debe ser mayor que «desde».'],
  [/^must not overlap the range (.+)$/, 'No puede coincidir en parte con el intervalo $1.'],
  [/^must differ from the time they begin/, 'Debe ser distinta de la hora en que empiezan.'],
  [/^must be given, because quiet hours/, 'Hace falta: las horas de silencio y el resumen diario van por este reloj.'],
  [/^must be an http or https address/, 'Debe ser una dirección http o https, como https://example.org/hooks.'],
  [/^must not hold a user name/, 'No puede contener un nombre de usuario ni una contraseña.'],
  [/^must lead to a public host/, 'Debe llevar a un servidor público. WEBHOOK_ALLOW permite otros.'],
]

/** A sentence; null when we have no Spanish for it. */
export function faultInSpanish(fault: string): string | null {
  const [pattern, words] = faults.find(([one]) => one.test(fault)) ?? []
  return pattern && words ? (pattern.exec(fault)?.[0].replace(pattern, words) ?? null) : null
}

export function inSpanish({ code, detail, meta = {} }: Pick<ErrorEntry, 'code' | 'detail' | 'meta'>): string {
  const fault = typeof meta.fault === 'string' ? faultInSpanish(meta.fault) : null
  if (fault) return `${[meta.pointer ?? meta.parameter].flat().join(', ')}: ${fault}`
  return wordings[code]?.replace(/\{(\w+)\}/g, (_, name: string) => [meta[name]].flat().join(', ')) ?? detail
}
