// The steps of a sign-in: the service says what is missing, and it is sent again with that.

import { AlmonerError, type AnswerTo } from '@almoner/client'
import { useState } from 'react'
import { almoner, type SignInRequest, signIn } from '../session/session.ts'

export type Document = AnswerTo<'getServiceDocument'>

export type Step =
  | { kind: 'password' }
  | { kind: 'totp' }
  | { kind: 'code'; challengeId: string; method: 'email' | 'sms' }
  | { kind: 'documents'; documents: Document[] }
  | { kind: 'reset-required' }

const START: Step = { kind: 'password' }

export function useSignInSteps() {
  const [step, setStep] = useState<Step>(START)
  const [given, setGiven] = useState<SignInRequest>({ username: '', password: '' })
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  const doing = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }

  const attempt = async (request: SignInRequest): Promise<void> => {
    setGiven(request)
    try {
      await signIn(request)
    } catch (failure) {
      const next = await stepAfter(failure, request)
      if (!next) throw failure
      setStep(next)
    }
  }

  return {
    step,
    error,
    isBusy,
    username: given.username,
    startOver: () => {
      setError(null)
      setStep(START)
    },
    givePassword: (username: string, password: string) => doing(() => attempt({ username, password })),
    giveTotp: (totpCode: string) => doing(() => attempt({ ...given, totpCode })),
    giveCode: (id: string, code: string) =>
      doing(async () => {
        const { mfaTicket } = await almoner.respondToMfaEmailChallenge({ id, body: { code } })
        await attempt({ ...given, mfaTicket })
      }),
    sendCode: (method: 'email' | 'sms') => doing(async () => setStep(await challenge(given, method))),
    agree: (serviceDocumentAgreements: string[]) => doing(() => attempt({ ...given, serviceDocumentAgreements })),
    requestLink: () => doing(() => almoner.requestPasswordReset({ body: { username: given.username } }).then(() => {})),
  }
}

async function stepAfter(failure: unknown, request: SignInRequest): Promise<Step | null> {
  if (!(failure instanceof AlmonerError)) return null
  const meta = failure.errors[0]?.meta ?? {}
  switch (failure.code) {
    case 'TotpRequired':
      return { kind: 'totp' }
    case 'MfaRequired':
      return challenge(request, (meta.methods as string[]).includes('sms') ? 'sms' : 'email')
    case 'ServiceDocumentsRequired': {
      const named = meta.documents as { id: string }[]
      return {
        kind: 'documents',
        documents: await Promise.all(named.map(({ id }) => almoner.getServiceDocument({ id }))),
      }
    }
    case 'PasswordResetRequired':
      return { kind: 'reset-required' }
    default:
      return null
  }
}

async function challenge({ username, password }: SignInRequest, method: 'email' | 'sms'): Promise<Step> {
  const { id } = await almoner.createMfaEmailChallenge({ body: { username, password } })
  return { kind: 'code', challengeId: id, method }
}
