// What carries a message out of the house. There is one gateway for each channel, or none where it is not set up.

export interface Parcel {
  id: string
  recipient: string
  subject: string | null
  text: string
  html?: string | undefined
}

export interface Gateway {
  /** Resolves when the message was taken. Throws `Refusal` when no later attempt can succeed, anything else otherwise. */
  send(parcel: Parcel): Promise<void>
}

/** A final no. */
export class Refusal extends Error {}
