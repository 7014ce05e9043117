import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import WallKiosk from '../../domains/dashboard/web/WallKiosk.tsx'
import { Providers } from './Providers.tsx'
import '../../platform/web/look.css'

/** Opens the walls of a link: no session, no menu, nothing that leads anywhere. */
export function start(root: Element, token: string) {
  createRoot(root).render(
    <MemoryRouter>
      <Providers>
        <WallKiosk token={token} />
      </Providers>
    </MemoryRouter>,
  )
}
