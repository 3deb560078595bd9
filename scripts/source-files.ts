import { execFileSync } from 'node:child_process'

/** Every TypeScript file of the project that git knows of or would add. */
export const sourceFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '')

export const isTest = (file: string): boolean => /\.test\.tsx?$|\/test\//.test(file)
