import { type ComponentName, componentNames } from '#contracts/operations/stack.ts';

/** What Windows's list of services shows beside the name. */
export const serviceDescriptions: Readonly<Record<ComponentName, string>> = {
  postgres: 'The database of Castellan.',
  api: 'The API of Castellan: game servers, deliveries, the panel.',
  bot: 'The Discord bot of Castellan.',
};

/** They stop in the reverse order of their start. */
export const stopOrder: readonly ComponentName[] = componentNames.toReversed();
