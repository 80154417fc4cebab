import { Button, Text } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { PanelReplaced } from '../routing/page-chunks.ts';
import { designWords } from './design.words.ts';
import { Trouble } from './trouble.tsx';

/** Why a section of the panel is missing, and the remedy: only reloading the whole panel helps. */
export const Fault = ({ error }: { readonly error: unknown }) => {
  const words = useWords(designWords);
  const reload = () => location.reload();
  if (!(error instanceof PanelReplaced)) return <Trouble error={error} onRetry={reload} />;
  return (
    <>
      <Text>{words.pieceGone}</Text>
      <div>
        <Button onClick={reload}>{words.reload}</Button>
      </div>
    </>
  );
};
