import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { useEffect, useRef } from 'react'
import { routeTree } from '../routes.ts'
import { useSessionState } from '../session/session.ts'
import { FailurePage } from './failure-page.tsx'
import { NotFound } from './not-found.tsx'
import { queries } from './queries.ts'
import { cssVariables, theme } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''
// For the part of Mantine that keeps the page behind a dialog from scrolling.
setNonce(nonce)

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: FailurePage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export function Console() {
  const state = useSessionState()
  const before = useRef(state)
  useEffect(() => {
    // Signing out, here or in another tab, leaves nothing of the person behind.
    if (state === 'signed-out' && before.current !== 'signed-out') {
      notifications.clean()
      router.navigate({ to: '/sign-in', replace: true }).then(() => queries.clear())
    }
    before.current = state
  }, [state])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Notifications position="top-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
