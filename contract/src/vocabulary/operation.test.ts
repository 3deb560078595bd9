import { expect, test } from 'vitest'
import { roles, signedIn } from './access.ts'
import { many, nothing, one, resource } from './envelope.ts'
import { optional, text } from './formats.ts'
import { action, create, get, list, modify, remove } from './operation.ts'

const Note = resource('notes', { text: text() })
const common = { summary: 'x', access: signedIn }

test('the short forms fill in method, status, cost, body and answer', () => {
  expect(list({ ...common, id: 'list-notes', path: '/a/v1/notes/', answer: many(Note) })).toMatchObject({
    method: 'GET',
    status: 200,
    cost: 1,
    paging: { maximum: 1000, default: 100 },
  })
  expect(get({ ...common, id: 'get-note', path: '/a/v1/notes/{id}/', answer: one(Note) })).toMatchObject({
    method: 'GET',
    status: 200,
    cost: 1,
  })
  expect(
    create({ ...common, id: 'create-note', path: '/a/v1/notes/', resource: Note, attributes: { text: text() } }),
  ).toMatchObject({
    method: 'POST',
    status: 201,
    cost: 5,
    body: { shape: 'resource', type: 'notes', modifies: false },
    answer: { kind: 'one', resource: Note },
  })
  expect(
    modify({
      ...common,
      id: 'modify-note',
      path: '/a/v1/notes/{id}/',
      resource: Note,
      attributes: { text: optional(text()) },
    }),
  ).toMatchObject({
    method: 'PATCH',
    status: 200,
    body: { modifies: true },
  })
  expect(remove({ ...common, id: 'delete-note', path: '/a/v1/notes/{id}/' })).toMatchObject({
    method: 'DELETE',
    status: 204,
    answer: nothing,
  })
  expect(action({ ...common, id: 'hide-note', path: '/a/v1/notes/{id}/hide/', answer: one(Note) })).toMatchObject({
    method: 'POST',
    status: 201,
    body: { shape: 'flat', fields: {} },
  })
})

test('what an operation says of itself goes before what the short form fills in', () => {
  const channels = list({
    ...common,
    id: 'list-channels',
    path: '/a/v1/channels/',
    answer: many(Note),
    paging: { maximum: 50, default: 50 },
    cost: 3,
    access: roles('provider'),
  })
  expect(channels).toMatchObject({ paging: { maximum: 50, default: 50 }, cost: 3, access: { roles: ['provider'] } })
})
