import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

export const Toasts = () => <Notifications position="top-right" />
