import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useMessages } from '../../language/language.ts'
import classes from './administration.module.css'
import { administration } from './messages.ts'

const PLACES = [
  ['/administration/users', 'users'],
  ['/administration/organization', 'organization'],
  ['/administration/security', 'security'],
  ['/administration/service-accounts', 'serviceAccounts'],
  ['/administration/webhooks', 'webhooks'],
  ['/administration/classifications', 'classifications'],
  ['/administration/outbox', 'outbox'],
  ['/administration/audit', 'audit'],
] as const

export function AdministrationLayout() {
  const t = useMessages(administration)
  const { pathname } = useLocation()
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the menu is wider than the page.
    const current = menu.current?.querySelector(`[href="${pathname.split('/').slice(0, 3).join('/')}"]`)
    current?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <>
      <nav ref={menu} aria-label={t.title} className={classes.places}>
        {PLACES.map(([path, name]) => (
          <Link key={path} to={path} className={classes.place} activeOptions={{ includeSearch: false }}>
            {t.places[name]}
          </Link>
        ))}
      </nav>
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  )
}
