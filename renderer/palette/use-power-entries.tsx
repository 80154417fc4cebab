import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { languages } from '#contracts/language.ts';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import { goTo } from '../routing/use-hash-location.ts';
import { useRead } from '../wire/queries.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

const acts = { start: IconPlayerPlay, stop: IconPlayerStop, restart: IconRefresh } as const;

/** Starting and stopping each server that one may; the page of the server asks first. */
export const usePowerEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.power') });
  return (servers.data?.rows ?? [])
    .filter(({ id, status }) => status.process !== null && can('servers.power', id))
    .flatMap(({ id, name }) =>
      (['start', 'stop', 'restart'] as const).map((action): Entry => {
        const Icon = acts[action];
        return {
          id: `power:${action}:${id}`,
          group: 'acts',
          label: words.power[action](name),
          also: languages.map((language) => paletteWords[language].power[action](name)),
          icon: <Icon size={18} aria-hidden />,
          run: () => goTo(`/servers/${encodeURIComponent(id)}?power=${action}`),
        };
      }),
    );
};
