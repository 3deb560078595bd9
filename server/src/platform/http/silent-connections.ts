import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections on which nothing was asked yet. Node does not take them for idle, and would wait for them when the service
 * stops; programs open them in advance, as after a stream that was lost.
 */
export function silentConnections(server: Server, { tls }: { tls: boolean }): { close(): void } {
  const silent = new Set<Socket>()
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return {
    close() {
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
