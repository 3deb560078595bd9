// The frame: header, menu and the place for a screen. On a phone the menu is a drawer.

import { ActionIcon, Box, Burger, Drawer, Text, UnstyledButton } from '@mantine/core'
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

const palette = () => import('./palette.tsx')
// Loaded when it is first opened: a screen is seen sooner without it.
const Palette = lazy(() => palette().then((module) => ({ default: module.Palette })))

export function Shell() {
  const t = useMessages(frame)
  const { profile, organization, roles } = usePerson()
  const [isMenuOpen, menu] = useDisclosure()
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const destination = destinationOf(address)
  // Patients may see their own page, and no other of its kind.
  const isOwnPage = address === `/patients/${profile.individualId}`
  const [isPaletteWanted, wantPalette] = useState(false)
  const openPalette = () => {
    wantPalette(true)
    palette().then((module) => module.openPalette())
  }
  useHotkeys([['mod+K', openPalette]], [])
  useEffect(() => speakLocale(profile.locale), [profile.locale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link closes the drawer
  useEffect(menu.close, [address])
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t.skip}
      </a>
      <header className={classes.header}>
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
      </header>
      <Box visibleFrom="sm" component="nav" className={classes.menu} aria-label={t.mainMenu}>
        <Navigation />
      </Box>
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
      <main id="content" tabIndex={-1} className={classes.main}>
        {!organization ? (
          <Screen title={t.noOrganization}>
            <Text c="dimmed">{t.noOrganizationHint}</Text>
          </Screen>
        ) : destination && !isOpenTo(destination, roles) && !isOwnPage ? (
          <NotAllowed />
        ) : (
          // Another organization is another room: nothing of a screen's state goes along.
          <Suspense key={organization.id}>
            <Outlet />
          </Suspense>
        )}
      </main>
      {isPaletteWanted && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
      <SignInAgain username={profile.username} />
    </div>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
