// The tables of identity, for Kysely's types.

import type { AnswerOf, Locale } from '@almoner/contract'
import type { getUser } from '@almoner/contract/identity/users'
import type { Gender } from '@almoner/contract/people/patients'
import type { Generated } from 'kysely'

type User = AnswerOf<typeof getUser>

declare module '../../platform/db/tables.ts' {
  interface Tables {
    organizations: {
      id: string
      name: string
      quota: Generated<number | null>
      requireSecondFactor: Generated<boolean>
      restrictProvidersToGroups: Generated<boolean>
      createdAt: Date
    }
    individuals: {
      id: string
      firstName: string
      lastName: string
      email: Generated<string | null>
      mobilePhone: Generated<string | null>
      locale: Generated<Locale>
      preferredName: Generated<string | null>
      /** YYYY-MM-DD */
      birthDate: Generated<string | null>
      gender: Generated<Gender | null>
      tz: Generated<string | null>
      communicationPreferences: Generated<object>
      mergedInto: Generated<string | null>
      createdAt: Date
    }
    users: {
      id: string
      individualId: string
      username: string
      passwordHash: string | null
      state: Generated<User['state']>
      archivedFrom: Generated<User['state'] | null>
      registrationInvite: Generated<User['registrationInvite']>
      emailVerified: Generated<boolean>
      phoneVerified: Generated<boolean>
      registeredAt: Generated<Date | null>
      quota: Generated<number | null>
      lastLoginAt: Generated<Date | null>
      lastActivityAt: Generated<Date | null>
      createdAt: Date
    }
    totpConfigurations: {
      id: string
      userId: string
      secret: Buffer
      enabledAt: Date | null
      lastUsedAt: Date | null
      lastStep: string | null
      createdAt: Date
    }
    mfaEmailChallenges: {
      id: string
      userId: string
      codeFingerprint: Buffer
      attempts: Generated<number>
      answeredAt: Generated<Date | null>
      spentAt: Generated<Date | null>
      expiresAt: Date
      createdAt: Date
    }
    oneTimeLinks: {
      hash: Buffer
      purpose: 'invitation' | 'password-reset'
      userId: string
      channel: 'email' | 'sms'
      usedAt: Generated<Date | null>
      expiresAt: Date
      createdAt: Date
    }
    serviceDocuments: {
      id: string
      organizationId: string
      title: string
      body: string
      isActive: Generated<boolean>
      createdAt: Date
    }
    serviceDocumentAgreements: { userId: string; serviceDocumentId: string; agreedAt: Date }
  }
}
