// Asking at the terminal. Questions go to stderr, so that stdout holds only what was asked for.

import { createInterface } from 'node:readline/promises'
import { CannotDo } from './command-line.ts'

export const isSomeoneThere = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

const [ENTER, NEW_LINE, END, INTERRUPT, BACKSPACE, DELETE] = ['\r', '\n', '\u0004', '\u0003', '\b', '\u007f']

/** What is typed is not shown. */
export function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  // First, so that not even the fastest typist is shown.
  stdin.setRawMode(true).setEncoding('utf8').resume()
  stderr.write(question)
  let typed = ''
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      stdin.off('data', listen).setRawMode(false).pause()
      stderr.write('\n')
      settle()
    }
    const listen = (text: string) => {
      for (const character of text) {
        if (character === INTERRUPT) return end(() => reject(new CannotDo('Nothing was done.')))
        if (character === ENTER || character === NEW_LINE || character === END) return end(() => resolve(typed))
        typed = character === BACKSPACE || character === DELETE ? [...typed].slice(0, -1).join('') : typed + character
      }
    }
    stdin.on('data', listen)
  })
}
