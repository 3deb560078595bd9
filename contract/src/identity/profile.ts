import {
  boolean,
  get,
  locale,
  nullable,
  one,
  operation,
  optional,
  resource,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'

const PATH = '/identity/v1/profile/'

/** The signed-in person. The id is the user's. */
export const Profile = resource('profiles', {
  individualId: uuid(),
  username: text(),
  firstName: text(),
  lastName: text(),
  preferredName: nullable(text()),
  email: nullable(text()),
  mobilePhone: nullable(text()),
  emailVerified: boolean(),
  phoneVerified: boolean(),
  locale: locale(),
})

export const getProfile = get({
  id: 'get-profile',
  summary: 'Get what is known of yourself',
  path: PATH,
  access: signedIn,
  answer: one(Profile),
})

export const modifyProfile = operation({
  id: 'modify-profile',
  summary: 'Change how you are called and spoken to',
  description: 'Names and addresses are changed by those who care for the record.',
  method: 'PATCH',
  path: PATH,
  status: 200,
  access: signedIn,
  body: {
    shape: 'attributes',
    fields: {
      preferredName: optional(nullable(text({ minLength: 1, maxLength: 255 }))),
      locale: optional(locale()),
    },
  },
  answer: one(Profile),
})
