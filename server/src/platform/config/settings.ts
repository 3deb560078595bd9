// Every setting of the service: one table, read once at the start. docs/configuration.md is printed from it.

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { isHostOrNetwork } from '../outbound/address-guard.ts'

interface Kind<T> {
  /** Undefined when the text is not acceptable. */
  parse(text: string): T | undefined
  allowed: string
}

const text: Kind<string> = { parse: (value) => value, allowed: 'any text' }
const flag: Kind<boolean> = {
  parse: (value) => ({ true: true, false: false })[value],
  allowed: 'true or false',
}
const whole = (minimum: number, maximum: number): Kind<number> => ({
  parse: (value) => (/^\d{1,15}$/.test(value) && +value >= minimum && +value <= maximum ? +value : undefined),
  allowed: `a whole number from ${minimum} to ${maximum}`,
})
const address = (...schemes: string[]): Kind<string> => ({
  parse: (value) => (URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)) ? value : undefined),
  allowed: `an address beginning with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
})
// PostgreSQL's addresses may leave out the host before a socket's path, which URL does not allow.
const postgresAddress: Kind<string> = {
  parse: (value) => (/^postgres(ql)?:\/\/./.test(value) ? value : undefined),
  allowed: 'an address beginning with postgres://',
}
const proxies: Kind<false | number | string[]> = {
  parse: (value) => {
    if (value === 'false') return false
    if (value === 'true') return 1
    if (/^[1-9]\d?$/.test(value)) return Number(value)
    const networks = value.split(',').map((part) => part.trim())
    return networks.every((network) => isIP(network.split('/')[0] ?? '') > 0) ? networks : undefined
  },
  allowed:
    'false, true for one proxy, the number of proxies in a row, or their addresses or networks separated by commas',
}
const choice = <const T extends readonly string[]>(...values: T): Kind<T[number]> => ({
  parse: (value) => values.find((one) => one === value),
  allowed: values.join(', '),
})
const list = (item: Kind<string>): Kind<string[]> => ({
  parse: (value) => {
    const parts = value.split(',').map((part) => part.trim())
    return parts.every((part) => item.parse(part) !== undefined) ? parts : undefined
  },
  allowed: `${item.allowed}; several separated by commas`,
})
const key: Kind<string> = {
  parse: (value) => (/^[0-9a-f]{64}$/i.test(value) ? value : undefined),
  allowed: '64 hexadecimal digits (32 random bytes)',
}
const sender: Kind<string> = {
  parse: (value) => (/^([^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value) ? value : undefined),
  allowed: 'an address, or a name and an address: Almoner <almoner@example.org>',
}
const hostOrNetwork: Kind<string> = {
  parse: (value) => (isHostOrNetwork(value) ? value : undefined),
  allowed: 'a host name, an address, or a network such as 10.0.0.0/8',
}
const directory: Kind<string> = { parse: (value) => (value ? resolve(value) : undefined), allowed: 'a folder' }

interface Setting<T = unknown> {
  kind: Kind<T>
  default: T | undefined
  meaning: string
}
const setting = <T>(kind: Kind<T>, fallback: T, meaning: string): Setting<T> & { default: T } => ({
  kind,
  default: fallback,
  meaning,
})
const optionalSetting = <T>(kind: Kind<T>, meaning: string): Setting<T> => ({ kind, default: undefined, meaning })

export const settings = {
  port: setting(whole(0, 65_535), 8080, 'The port to listen on; 0 picks a free one.'),
  host: setting(text, '127.0.0.1', 'The address to listen on. 0.0.0.0 for every network interface.'),
  publicUrl: optionalSetting(
    address('http', 'https'),
    'The address people reach the service at, when it is not the one it listens on.',
  ),
  dataDir: setting(
    directory,
    resolve(import.meta.dirname, '../../../../.almoner'),
    'Where the embedded PostgreSQL and the instance key are kept.',
  ),
  databaseUrl: optionalSetting(
    postgresAddress,
    'A PostgreSQL (15 or newer) of your own. Without it the service runs an embedded one in DATA_DIR.',
  ),
  databasePoolSize: setting(whole(2, 500), 10, 'Database connections a process may open.'),
  statementTimeoutMs: setting(
    whole(100, 3_600_000),
    30_000,
    'How long one database statement may take, in milliseconds.',
  ),
  adminEmail: optionalSetting(
    text,
    'The sign-in of the first organization administrator, made on an empty database. With DEMO, admin@demo.example when not set.',
  ),
  adminPassword: optionalSetting(
    text,
    'The password of the first organization administrator. With DEMO, almoner-demo-1 when not set. Set it before the first start of anything real.',
  ),
  demo: setting(
    flag,
    true,
    'Make a demo organization on an empty database. With false an organization is made only when ADMIN_EMAIL and ADMIN_PASSWORD are set.',
  ),
  tlsCert: optionalSetting(text, 'A PEM file with the certificate chain: HTTPS is served directly. Goes with TLS_KEY.'),
  tlsKey: optionalSetting(text, 'A PEM file with the private key of TLS_CERT.'),
  trustProxy: setting(
    proxies,
    false as false | number | string[],
    'Proxies in front end HTTPS: what they say in X-Forwarded-For and X-Forwarded-Proto is believed, and nothing beyond them.',
  ),
  requireHttps: setting(flag, false, 'Refuse calls that did not come over HTTPS.'),
  corsOrigins: setting(
    list(address('http', 'https')),
    [],
    'Web origins whose pages may call the service from a browser.',
  ),
  redisUrl: optionalSetting(
    address('redis', 'rediss'),
    'Keeps quotas in Redis or Valkey, so that several processes share them. Without it each process counts for itself.',
  ),
  userQuota: setting(
    whole(1, 1_000_000_000),
    6_000,
    'Quota units a signed-in user has each minute, unless the user or the organization has its own.',
  ),
  anonymousQuota: setting(whole(1, 1_000_000_000), 120, 'Quota units an address without a sign-in has each minute.'),
  instanceKey: optionalSetting(
    key,
    'Encrypts secrets in the database. Without it a key is made once in DATA_DIR. All processes on one database need the same.',
  ),
  previousInstanceKeys: setting(
    list(key),
    [],
    'Earlier instance keys, newest first: what they encrypted can still be read.',
  ),
  pwnedPasswordsUrl: optionalSetting(
    address('http', 'https'),
    'A range service of known leaked passwords (k-anonymity protocol). Without it such passwords are not recognised.',
  ),
  metricsToken: optionalSetting(text, 'When set, /metrics/ asks for it as a bearer token.'),
  smtpUrl: optionalSetting(
    address('smtp', 'smtps'),
    'The mail server, with name and password where it wants them: smtp://name:password@host:587. Add ?requireTLS=true to refuse one without encryption. Without it e-mails are kept and not sent.',
  ),
  mailFrom: setting(sender, 'Almoner <no-reply@almoner.example>', 'Who e-mails come from.'),
  smsGatewayUrl: optionalSetting(
    address('http', 'https'),
    'An SMS gateway that speaks as Twilio does, such as https://api.twilio.com. Goes with SMS_ACCOUNT, SMS_TOKEN and SMS_FROM. Without it SMS are kept and not sent.',
  ),
  smsAccount: optionalSetting(text, 'The account at the SMS gateway.'),
  smsToken: optionalSetting(text, 'The secret of SMS_ACCOUNT.'),
  smsFrom: optionalSetting(text, 'The number that SMS come from, such as +15550100.'),
  eventDays: setting(whole(1, 36_500), 400, 'How many days events are kept to be listed and followed.'),
  streamHeartbeatSeconds: setting(
    whole(1, 30),
    15,
    'How often those who follow events are sent a sign of life, in seconds, and how often it is looked whether they still may.',
  ),
  webhookAllow: setting(
    list(hostOrNetwork),
    [],
    'Hosts and networks that webhooks may be sent to besides public ones: loopback, private and other special addresses are refused otherwise.',
  ),
  logLevel: setting(choice('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info', 'How much is logged.'),
  drainSeconds: setting(
    whole(0, 3_600),
    30,
    'How long running requests and jobs may take to finish when the service is asked to stop.',
  ),
}

type Value<S> = S extends { default: infer D; kind: Kind<infer T> } ? (undefined extends D ? T | undefined : T) : never
export type Settings = { [Name in keyof typeof settings]: Value<(typeof settings)[Name]> }

export class WrongSettings extends Error {}

export const environmentName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

export function readSettings(environment: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const result: Record<string, unknown> = {}
  const names = new Map(Object.keys(settings).map((name) => [environmentName(name), name as keyof Settings]))
  for (const [variable, name] of names) {
    const { kind, default: fallback } = settings[name] as Setting
    const given = environment[variable]
    result[name] = given === undefined || given === '' ? fallback : kind.parse(given)
    if (given && result[name] === undefined) faults.push(`${variable} must be ${kind.allowed}.`)
  }
  for (const variable of Object.keys(environment)) {
    // The environment holds many things that are not ours; a name almost like one of ours is a slip of the pen.
    const meant = [...names.keys()].find(
      (known) => known.length > 5 && distance(known, variable) <= (known.length > 8 ? 2 : 1),
    )
    if (meant && !names.has(variable)) faults.push(`There is no setting ${variable}. Did you mean ${meant}?`)
  }
  if (Boolean(result.tlsCert) !== Boolean(result.tlsKey))
    faults.push('TLS_CERT and TLS_KEY go together: set both or neither.')
  const sms = [result.smsGatewayUrl, result.smsAccount, result.smsToken, result.smsFrom]
  if (sms.some(Boolean) && !sms.every(Boolean))
    faults.push('SMS_GATEWAY_URL, SMS_ACCOUNT, SMS_TOKEN and SMS_FROM go together: set all or none.')
  if (Boolean(result.adminEmail) !== Boolean(result.adminPassword))
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither.')
  if (faults.length > 0)
    throw new WrongSettings(`The settings are not right:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  return result as Settings
}
