// The frame: header, menu and the place for a screen. On a phone the menu is a drawer.

import { ActionIcon, AppShell, Burger, Drawer, Group, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { speakLocale, useMessages } from '../language/language.ts'
import { Live } from '../live/live.tsx'
import { destinationOf, isOpenTo } from '../navigation.ts'
import { Bell } from '../screens/notifications/bell.tsx'
import logo from './almoner.svg'
import { frame } from './messages.ts'
import { Navigation } from './navigation-menu.tsx'
import { NotAllowed } from './not-found.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { usePerson } from './person.ts'
import { PersonMenu } from './person-menu.tsx'
import { Screen } from './screen.tsx'
import classes from './shell.module.css'
import { SignInAgain } from './sign-in-again.tsx'

/** Loaded when it is first asked for; from then on it hears its keys by itself. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

export function Shell() {
  const t = useMessages(frame)
  const { profile, organization, roles } = usePerson()
  const [isMenuOpen, menu] = useDisclosure()
  const [timesAsked, setTimesAsked] = useState(0)
  const openPalette = () => setTimesAsked((before) => before + 1)
  useHotkeys(timesAsked === 0 ? [['mod+K', openPalette]] : [], [])
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const destination = destinationOf(address)
  useEffect(() => speakLocale(profile.locale), [profile.locale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link closes the drawer
  useEffect(menu.close, [address])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
      classNames={{ main: classes.main, header: classes.header, navbar: classes.navbar }}
    >
      <a href="#content" className={classes.skip}>
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isMenuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t.menu} />
          <Link to="/" className={classes.brand}>
            <img src={logo} alt="" width={24} height={24} />
            <span>Almoner</span>
          </Link>
          <OrganizationSwitch />
          <UnstyledButton className={classes.search} onClick={openPalette} visibleFrom="sm">
            <SearchIcon size={14} />
            <Text size="sm" c="dimmed" flex={1}>
              {t.search}
            </Text>
            <kbd className={classes.key}>{isApple ? '⌘' : 'Ctrl'} K</kbd>
          </UnstyledButton>
          <ActionIcon variant="default" size="lg" onClick={openPalette} hiddenFrom="sm" ml="auto" aria-label={t.search}>
            <SearchIcon size={16} />
          </ActionIcon>
          {organization && <Live />}
          {organization && <Bell />}
          <PersonMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar visibleFrom="sm" p="xs" component="nav" aria-label={t.mainMenu}>
        <Navigation />
      </AppShell.Navbar>
      <Drawer
        opened={isMenuOpen}
        onClose={menu.close}
        size={264}
        title={t.menu}
        hiddenFrom="sm"
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <nav aria-label={t.mainMenu}>
          <Navigation />
        </nav>
      </Drawer>
      <AppShell.Main id="content" tabIndex={-1}>
        {!organization ? (
          <Screen title={t.noOrganization}>
            <Text c="dimmed">{t.noOrganizationHint}</Text>
          </Screen>
        ) : destination && !isOpenTo(destination, roles) ? (
          <NotAllowed />
        ) : (
          // Another organization is another room: nothing of a screen's state goes along.
          <Suspense key={organization.id}>
            <Outlet />
          </Suspense>
        )}
      </AppShell.Main>
      {timesAsked > 0 && (
        <Suspense>
          <Palette timesAsked={timesAsked} />
        </Suspense>
      )}
      <SignInAgain username={profile.username} />
    </AppShell>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
