import { type Almoner, AlmonerError, connect } from '../index.ts'
import { ask, askHidden, isSomeoneThere } from './asking.ts'
import { CannotDo } from './command-line.ts'

interface Caller {
  url: string
  username: string | undefined
}

/** Carries something out as whoever the environment or the terminal says, and ends the sign-in that was made for it. */
export async function signedIn<T>({ url, username }: Caller, work: (almoner: Almoner) => Promise<T>): Promise<T> {
  const token = process.env.ALMONER_TOKEN
  if (token) return work(connect({ baseUrl: url, token }))
  if (!username) throw new CannotDo('Say who you are with --username, or give an access token in ALMONER_TOKEN.')
  const almoner = connect({ baseUrl: url })
  await signIn(almoner, username, await password())
  try {
    return await work(almoner)
  } finally {
    await almoner.logout().catch(() => {})
  }
}

async function password(): Promise<string> {
  const given = process.env.ALMONER_PASSWORD
  if (given) return given
  if (!isSomeoneThere()) throw new CannotDo('There is no terminal to ask for the password: set ALMONER_PASSWORD.')
  return askHidden('Password: ')
}

async function signIn(almoner: Almoner, username: string, password: string): Promise<void> {
  try {
    await almoner.login({ body: { username, password } })
  } catch (error) {
    const isCodeAsked = error instanceof AlmonerError && error.code === 'TotpRequired'
    if (!isCodeAsked || !isSomeoneThere()) throw error
    const totpCode = (await ask('Code of your authenticator app: ')).trim()
    await almoner.login({ body: { username, password, totpCode } })
  }
}

/** The organization that is meant by a name, without case, or by an id. */
export async function organizationNamed(almoner: Almoner, given: string): Promise<string> {
  const all = []
  for await (const { id, name } of almoner.listOrganizations.each()) all.push({ id, name })
  const wanted = given.trim().toLowerCase()
  const meant = all.filter(({ id, name }) => id === wanted || name.trim().toLowerCase() === wanted)
  const [first] = meant
  if (first && meant.length === 1) return first.id
  const listed = (meant.length > 0 ? meant : all).map(({ id, name }) => `  ${name} (${id})`).join('\n')
  throw new CannotDo(
    meant.length > 0
      ? `There are several organizations named ${given}. Give the id of the one that is meant:\n${listed}`
      : `You belong to no organization named ${given}. Yours are:\n${listed}`,
  )
}
