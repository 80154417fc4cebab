import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Panel } from '#harness/panel.ts';
import { pointer, walkOwnerEvening } from '../journeys/owner-evening.ts';
import { startSevenDays } from '../simulators/seven-days-simulator.ts';

const password = 'the password of the console';

/** Takes the pictures of docs/tour.md: an owner's first evening, step by step. */
export const takeTour = async (panel: Panel, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await using game = await startSevenDays({ password });
  for (const name of ['Nora', 'Ivo', 'Maren']) game.world.join(name);
  const page = await panel.page({ as: null });
  await walkOwnerEvening(page, {
    owner: panel.info.admin,
    game: { port: game.port, password },
    serverName: 'Highlands',
    moderatorName: 'Moderator of Highlands',
    hand: pointer(),
    onStep: async (step) => {
      // The notification of the previous step does not belong in the picture.
      await page.getByRole('alert').filter({ hasText: 'Added' }).waitFor({ state: 'hidden' });
      await page.screenshot({ path: join(folder, `tour-${step}.png`) });
    },
  });
  await page.close();
};
