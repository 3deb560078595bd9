import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('what is not set has its default', () => {
  const settings = readSettings({ HOME: '/root', TERM: 'xterm', npm_config_host: 'x', PORTAL: 'y' })
  expect(settings).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    demo: true,
    userQuota: 6000,
    anonymousQuota: 120,
    corsOrigins: [],
    databaseUrl: undefined,
  })
  expect(settings.dataDir).toMatch(/\/\.almoner$/)
})

test('an empty value is as good as none', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
})

test('values are read by their kinds', () => {
  const read = readSettings({
    PORT: '0',
    DEMO: 'false',
    DATABASE_URL: 'postgres://me@/care?host=%2Frun%2Fpostgresql',
    CORS_ORIGINS: 'https://a.example, https://b.example',
    REDIS_URL: 'redis://127.0.0.1:6379',
    WEBHOOK_ALLOW: 'hooks.internal, 10.0.0.0/8',
  })
  expect(read).toMatchObject({
    port: 0,
    demo: false,
    corsOrigins: ['https://a.example', 'https://b.example'],
    redisUrl: 'redis://127.0.0.1:6379',
    webhookAllow: ['hooks.internal', '10.0.0.0/8'],
  })
})

test('every fault is named at once', () => {
  const wrong = {
    PORT: '70000',
    DEMO: 'yes',
    DATABASE_URL: 'mysql://x',
    INSTANCE_KEY: 'abc',
    LOG_LEVEL: 'loud',
    WEBHOOK_ALLOW: 'https://hooks.internal',
    REQIRE_HTTPS: 'true',
    TLS_KEY: 'k',
    ADMIN_EMAIL: 'a@b.example',
  }
  expect(() => readSettings(wrong)).toThrow(
    [
      'The settings are not right:',
      '- PORT must be a whole number from 0 to 65535.',
      '- DATABASE_URL must be an address beginning with postgres://.',
      '- DEMO must be true or false.',
      '- INSTANCE_KEY must be 64 hexadecimal digits (32 random bytes).',
      '- WEBHOOK_ALLOW must be a host name, an address, or a network such as 10.0.0.0/8; several separated by commas.',
      '- LOG_LEVEL must be trace, debug, info, warn, error, silent.',
      '- There is no setting REQIRE_HTTPS. Did you mean REQUIRE_HTTPS?',
      '- TLS_CERT and TLS_KEY go together: set both or neither.',
      '- ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither.',
    ].join('\n'),
  )
})
