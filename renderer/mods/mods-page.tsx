import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useRoute } from 'wouter';
import type { ModSet } from '#contracts/mods/mods.ts';
import { useCan } from '../kit/access/access-state.ts';
import { Page as Frame } from '../kit/design/page.tsx';
import { Together } from '../kit/design/together.tsx';
import { useWords } from '../kit/language/use-words.ts';
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

/** Mods across servers: an overview, sets, and server-by-server changes. */
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
      <Together>
        <ServersCard />
        <SetsCard onApply={(set) => setWave({ set })} />
        <WavesCard />
      </Together>
      {wave && <WaveDialog set={wave.set} onClose={() => setWave(null)} />}
    </Frame>
  );
};
