import { messages } from '../../language/language.ts'

export const home = messages(
  {
    title: (name: string) => `Hello ${name}`,
    where: (organization: string) => `You are working in ${organization}.`,
  },
  {
    title: (name: string) => `Hola, ${name}`,
    where: (organization: string) => `Está trabajando en ${organization}.`,
  },
)
