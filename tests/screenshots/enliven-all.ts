import type { Panel } from '#harness/panel.ts';
import { enliven } from './enliven.ts';
import { enlivenHistory } from './enliven-history.ts';
import { enlivenStore } from './enliven-store.ts';
import { enlivenTerms } from './enliven-terms.ts';

/** Makes the demo look like a community in use, with a history. */
export const enlivenAll = async (panel: Panel): Promise<void> => {
  await enliven(panel);
  await enlivenStore(panel);
  await enlivenTerms(panel);
  await enlivenHistory(panel);
};
