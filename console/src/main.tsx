/// <reference types="vite/client" />

// In a layer, so that the console's own styles come before Mantine's in whatever order the files are loaded.
import '@mantine/core/styles.layer.css'
import './frame/console.css'
import { createRoot } from 'react-dom/client'
import { Console } from './frame/console.tsx'
import { resumeSession } from './session/session.ts'

// A new version is served: what this page would load next is not there any more.
window.addEventListener('vite:preloadError', () => location.reload())

const place = document.getElementById('console')
if (!place) throw new Error('The page has no place for the console.')
const root = createRoot(place)
// Whether someone is signed in decides what is shown first; a service that cannot be reached is said on the page itself.
await resumeSession().catch(() => {})
root.render(<Console />)
