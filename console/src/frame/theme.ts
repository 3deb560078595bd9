// Quiet and dense: the system's own typeface, one accent, and text that stands out enough in light and in dark.

import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const small =
  (sizes: Record<string, { root: Record<string, string> }>) =>
  (_: unknown, { size }: { size?: unknown }) =>
    sizes[String(size)] ?? { root: {} }

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  fontFamily: '-apple-system, "Segoe UI", Roboto, Cantarell, Ubuntu, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    // A finger finds nothing smaller than 24 pixels, and a word in a table is not cut.
    Button: { vars: small({ 'compact-xs': { root: { '--button-height': '26px' } } }) },
    ActionIcon: { vars: small({ xs: { root: { '--ai-size': '24px' } }, sm: { root: { '--ai-size': '26px' } } }) },
    Badge: { styles: { root: { minWidth: 'max-content' } } },
    // Their headings are no banner of the page.
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.55, blur: 2 },
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Fieldset: { defaultProps: { fz: 'sm' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
})

// Mantine's own values of these stand out less than WCAG asks of text.
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': '#667078',
    '--mantine-color-error': colors.red[9],
    '--almoner-line': colors.gray[3],
    '--almoner-page': colors.gray[0],
    '--almoner-card': '#fff',
    '--almoner-chosen': colors.gray[1],
    '--almoner-critical': '#c1121f',
    '--almoner-warning': '#a8480a',
    '--almoner-info': '#1864ab',
    '--almoner-good': '#1f6f43',
    '--almoner-watch': '#7a5b00',
    '--almoner-bad': '#a8480a',
    '--almoner-danger': '#c1121f',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb2',
    '--mantine-color-placeholder': '#9a9ea3',
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.cyan[3],
    '--almoner-line': colors.dark[4],
    '--almoner-page': colors.dark[8],
    '--almoner-card': colors.dark[6],
    '--almoner-chosen': colors.dark[5],
    '--almoner-critical': '#ff8a8a',
    '--almoner-warning': '#ffb266',
    '--almoner-info': '#8cc8ff',
    '--almoner-good': '#6fd39b',
    '--almoner-watch': '#e6c65c',
    '--almoner-bad': '#ffb266',
    '--almoner-danger': '#ff8a8a',
  },
})
