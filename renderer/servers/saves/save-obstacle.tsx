import { Alert, Code, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { RestoreObstacle, SaveAction, SavesObstacle, ServerSaves } from '#contracts/servers/saves.ts';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { savesWords } from './saves.words.ts';

type Obstacle = SavesObstacle | RestoreObstacle | 'busy';

/** Why an act on a server's saves cannot be started now; null: it can. */
export const obstacleTo = (action: SaveAction, saves: ServerSaves): Obstacle | null => {
  const { obstacle, restoreObstacle, act, list, run } = saves;
  if (obstacle !== null) return obstacle;
  if (act !== null || run?.outcome === null) return 'busy';
  if (action === 'backup') return null;
  if (restoreObstacle === 'SAVES_NOT_ALLOWED') return restoreObstacle;
  // The game may be running: a person has to look at it first.
  if (action === 'confirm') return null;
  if (action === 'restore' && list?.unconfirmed != null) return 'SAVES_UNCONFIRMED';
  // An undo is the remedy for a restore that waits.
  return action === 'undo' && restoreObstacle === 'SAVES_UNCONFIRMED' ? null : restoreObstacle;
};

/** Why an act cannot be started, in a sentence. */
export const useObstacleText = (): ((obstacle: Obstacle | null) => string | null) => {
  const { busy } = useWords(savesWords);
  const language = useLanguage();
  return (obstacle) =>
    obstacle === null ? null : obstacle === 'busy' ? busy : problemTexts(obstacle, language).meaning;
};

/** The obstacle to an act, and the remedy. */
export const ObstacleNote = (props: {
  readonly code: SavesObstacle | RestoreObstacle;
  /** `children` explain the remedy. */
  readonly hasOwnRemedy?: boolean;
  readonly children?: ReactNode;
}) => {
  const { code, hasOwnRemedy = false, children } = props;
  const { meaning, remedy } = problemTexts(code, useLanguage());
  return (
    <Alert color="var(--tone-idle)" variant="outline">
      <Text size="sm">{meaning}</Text>
      {!hasOwnRemedy && (
        <Text size="sm">
          <WithCode text={remedy} />
        </Text>
      )}
      {children}
    </Alert>
  );
};

/** Text between backticks is to be typed. */
const WithCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) => {
    const Part = index % 2 === 1 ? Code : Fragment;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    return <Part key={index}>{part}</Part>;
  });
