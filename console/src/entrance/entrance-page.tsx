import { Anchor, Box, Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import logo from '../frame/almoner.svg'
import { arrive } from '../frame/arrival.ts'
import { LANGUAGES, speak, useLanguage, useMessages } from '../language/language.ts'
import classes from './entrance.module.css'
import { entrance } from './messages.ts'

/** A sheet in the middle of the page, and a choice of language for whoever cannot read it. */
export function EntrancePage({ title, children }: { title: string; children: ReactNode }) {
  const t = useMessages(entrance)
  const current = useLanguage()
  useEffect(() => {
    document.title = `${title} – Almoner`
  }, [title])
  // Whoever signs in from here is led to the heading of the screen.
  useEffect(() => void arrive(), [])
  return (
    <div className={classes.page}>
      <main className={classes.middle}>
        <Group gap={10} mb="lg" justify="center">
          <img src={logo} alt="" width={32} height={32} />
          <Box fw={600} fz="lg">
            Almoner
          </Box>
        </Group>
        <Paper withBorder p="lg" className={classes.sheet}>
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </main>
      <Group component="nav" gap="md" justify="center" mt="lg" aria-label={t.language}>
        {LANGUAGES.map(({ language, name }) => (
          <Anchor
            key={language}
            component="button"
            type="button"
            size="sm"
            py={2}
            lang={language}
            c={language === current ? 'dimmed' : undefined}
            aria-current={language === current}
            onClick={() => speak(language)}
          >
            {name}
          </Anchor>
        ))}
      </Group>
    </div>
  )
}
