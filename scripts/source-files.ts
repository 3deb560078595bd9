import { globSync } from 'node:fs'

/** Every TypeScript file of the project. */
export const sourceFiles = (): string[] =>
  globSync('**/*.{ts,tsx}', { exclude: (name) => name === 'node_modules' || name.startsWith('.') })

export const isTest = (file: string): boolean => /\.test\.tsx?$|\/test\//.test(file)
