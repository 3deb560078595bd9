import { messages } from '../../../language/language.ts'

export const pushing = messages(
  {
    hint: 'Try it: this command pushes a blood pressure of this moment. The patient’s page shows it within seconds.',
    hintWithoutToken:
      'This command pushes a blood pressure of this moment. Put the device’s token in the place of TOKEN; it is shown once, when it is made.',
    command: 'Command that pushes a reading',
    copy: 'Copy the command',
    copied: 'Copied',
    reference: 'All that can be pushed',
  },
  {
    hint: 'Pruébelo: esta orden envía una presión arterial de este momento. La página del paciente la muestra en segundos.',
    hintWithoutToken:
      'Esta orden envía una presión arterial de este momento. Ponga el token del dispositivo en lugar de TOKEN; se muestra una sola vez, al crearlo.',
    command: 'Orden que envía una lectura',
    copy: 'Copiar la orden',
    copied: 'Copiada',
    reference: 'Todo lo que se puede enviar',
  },
)
