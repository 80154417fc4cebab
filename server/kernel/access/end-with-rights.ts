import { Problem } from '#runtime/problem.ts';
import type { AccessChanges } from './access-changes.ts';
import type { Actor } from './actor.ts';
import { demandPermission, type WatchDownload } from './authorize.ts';

/** Rights also change in other processes, which announce nothing here. */
const checkEveryMs = 10_000;

/** Breaks a download off once its caller may no longer ask for it: it takes as long as the caller likes. */
export const createEndWithRights =
  ({
    changes,
    refresh,
  }: {
    readonly changes: Pick<AccessChanges, 'subscribe'>;
    /** Null: the session or key has ended. */
    readonly refresh: (actor: Actor) => Promise<Actor | null>;
  }): WatchDownload =>
  (content, endpoint, actor) => {
    // Anyone may ask for it.
    if (actor.kind === 'local') return;
    const check = async () => {
      try {
        const renewed = await refresh(actor);
        if (!renewed) throw new Problem('UNAUTHENTICATED');
        demandPermission(endpoint, renewed);
      } catch (error) {
        // Without the database no one can tell; the next check does.
        if (error instanceof Problem) content.destroy(error);
      }
    };
    const unsubscribe = changes.subscribe(() => void check());
    const timer = setInterval(() => void check(), checkEveryMs).unref();
    content.once('close', () => {
      unsubscribe();
      clearInterval(timer);
    });
  };
