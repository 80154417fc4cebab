import { IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { actOnServer } from './act-on-server.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

const icons = { restart: IconRefresh, stop: IconPlayerStop, start: IconPlayerPlay } as const;

/** Starting and stopping each server where this person may; the page of the server asks first. */
export const usePowerEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const read = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.power') });
  const servers = (read.data?.rows ?? []).filter(
    ({ id, status }) => status.process !== null && can('servers.power', id),
  );
  return (['restart', 'stop', 'start'] as const).flatMap((action) => {
    const Icon = icons[action];
    return actOnServer(words, {
      id: `power:${action}`,
      icon: <Icon size={18} aria-hidden />,
      servers,
      general: (texts) => texts.powerOne[action],
      direct: (texts, server) => texts.power[action](server),
      run: (id) => goTo(`/servers/${encodeURIComponent(id)}?power=${action}`),
    });
  });
};
