// The service says what went wrong in English. What people meet in the console is said in Spanish here, with what the
// service names in braces; the rest is shown as the service says it.

import type { ErrorCode, ErrorEntry } from '@almoner/client'

const wordings: Partial<Record<ErrorCode, string>> = {
  AlreadyRegistered: 'Este usuario ya está registrado y no necesita una invitación.',
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
  InternalError: 'Algo falló de nuestro lado. Mencione el id. de solicitud {requestId} cuando lo comunique.',
  LastAdministrator: 'Una organización conserva al menos un administrador que puede iniciar sesión.',
  LinkExpired: 'Este enlace ha caducado. Pida uno nuevo.',
  LinkInvalid: 'Este enlace no es válido. Abra el mensaje más reciente que recibió o pida uno nuevo.',
  LinkUsed: 'Este enlace ya se usó. Inicie sesión o pida uno nuevo.',
  LoginFailed: 'El nombre de usuario o la contraseña no son correctos.',
  MfaCodeWrong: 'El código no es correcto o ha caducado. Pida uno nuevo después de cinco intentos.',
  MfaTicketInvalid: 'El código ya no vale. Pida uno nuevo.',
  NotFound: 'No existe, o usted no puede verlo.',
  PasswordLeaked: 'Esta contraseña está entre las que se han filtrado. Elija otra.',
  PasswordResetRequired: 'Hay que elegir una contraseña nueva antes de iniciar sesión. Pida un enlace.',
  PasswordTooShort: 'Esta contraseña es demasiado corta. Use al menos {least} caracteres.',
  PasswordTooWeak: 'Esta contraseña es demasiado fácil de adivinar. {suggestions}',
  PasswordWrong: 'La contraseña actual no es correcta.',
  PermissionDenied: 'Su función no permite hacer esto.',
  QuotaExceeded: 'Se hicieron demasiadas solicitudes. Inténtelo de nuevo en {seconds} segundos.',
  RecordMerged: 'Este registro se unió a otro. Use ese.',
  StillChecking: 'Su última contraseña todavía se está comprobando. Inténtelo de nuevo en {seconds} segundos.',
  TooManyMessages: 'Esta persona ya recibió muchos mensajes. Inténtelo de nuevo en {seconds} segundos.',
  TooManySignInAttempts: 'Demasiados intentos fallidos. Inténtelo de nuevo en {seconds} segundos.',
  TotpAlreadyEnabled: 'Ya hay otra aplicación de autenticación activada. Desactívela primero.',
  TotpCodesWrong: 'No son dos códigos que se siguen. Espere uno nuevo y escriba los dos.',
  TotpInvalid: 'El código no es correcto o ya se usó. Espere uno nuevo.',
  UsernameTaken: 'Ya hay un usuario con este nombre de usuario.',
}

export const inSpanish = ({ code, detail, meta = {} }: ErrorEntry): string =>
  wordings[code]?.replace(/\{(\w+)\}/g, (_, name: string) => [meta[name]].flat().join(', ')) ?? detail
