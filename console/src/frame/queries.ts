import { AlmonerError } from '@almoner/client'
import { QueryClient } from '@tanstack/react-query'

const MOST_TRIES = 2

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the service refused it refuses again; what did not reach it may reach it now.
      retry: (failures, error) => failures < MOST_TRIES && !(error instanceof AlmonerError && error.status < 500),
    },
  },
})
