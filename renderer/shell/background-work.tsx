import { lazy, Suspense } from 'react';
import { FaultBoundary } from '../kit/design/fault-boundary.tsx';
import { loadWhenServed } from '../kit/routing/page-chunks.ts';
import { reportChunkGone } from './shell-state.ts';

const WorkMenu = lazy(
  loadWhenServed(() => import('../kit/work/work-menu.tsx').then(({ WorkMenu }) => ({ default: WorkMenu }))),
);

/** The work in the background, while there is any. */
export const BackgroundWork = () => (
  <FaultBoundary shown={() => null} onFault={reportChunkGone}>
    <Suspense>
      <WorkMenu />
    </Suspense>
  </FaultBoundary>
);
