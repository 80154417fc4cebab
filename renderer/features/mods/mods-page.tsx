import { Button, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRoute } from 'wouter';
import type { ModSet } from '#contracts/mods.ts';
import { useCan } from '../../access/access-state.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { modsPageWords } from './mods-page.words.ts';
import { ServersCard } from './servers-card.tsx';
import { SetPage } from './set-page.tsx';
import { SetsCard } from './sets-card.tsx';
import { WaveDialog } from './wave-dialog.tsx';
import { WavesCard } from './waves-card.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/mods/sets/:id');
  return isOne ? <SetPage key={params.id} id={params.id} /> : <AllMods />;
};

/** What spans servers: their mods at a glance, sets, and changes server by server. */
const AllMods = () => {
  const words = useWords(modsPageWords);
  const mayAct = useCan().somewhere('mods.write');
  const [wave, setWave] = useState<{ readonly set: ModSet | null } | null>(null);
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={
        mayAct && (
          <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setWave({ set: null })}>
            {words.startWave} …
          </Button>
        )
      }
    >
      <Stack>
        <ServersCard />
        <SetsCard onApply={(set) => setWave({ set })} />
        <WavesCard />
      </Stack>
      {wave && <WaveDialog set={wave.set} onClose={() => setWave(null)} />}
    </Frame>
  );
};
