import { MantineProvider } from '@mantine/core'
import { notifications, useNotifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
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

// Loaded when there is something to tell.
const Toasts = lazy(() => import('./toasts.tsx').then((module) => ({ default: module.Toasts })))

function ToastsWhenNeeded() {
  const isTelling = useNotifications().notifications.length > 0
  const [hasTold, setTold] = useState(false)
  if (isTelling && !hasTold) setTold(true)
  return hasTold ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null
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
        <ToastsWhenNeeded />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
