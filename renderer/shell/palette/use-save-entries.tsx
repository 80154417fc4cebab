import { IconDeviceFloppy } from '@tabler/icons-react';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { actOnServer } from './act-on-server.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** A backup of the saves of each server with an agent; the page of the server asks first. */
export const useSaveEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  const read = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('saves.write') });
  return actOnServer(words, {
    id: 'saves',
    icon: <IconDeviceFloppy size={18} aria-hidden />,
    servers: (read.data?.rows ?? []).filter(
      ({ id, status }) => status.agentMode !== null && can('saves.write', id),
    ),
    general: (texts) => texts.backUpSavesOfOne,
    direct: (texts, server) => texts.backUpSaves(server),
    run: (id) => goTo(`/servers/${encodeURIComponent(id)}/saves?save=backup`),
  });
};
