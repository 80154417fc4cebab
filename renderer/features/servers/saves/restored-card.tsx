import { Group, Text } from '@mantine/core';
import type { GameServer } from '#contracts/game-servers.ts';
import type { ServerSaves } from '#contracts/saves.ts';
import { useCan } from '../../../access/access-state.ts';
import { Card } from '../../../design/card.tsx';
import { PanelLink } from '../../../design/panel-link.tsx';
import { ReasonedButton } from '../../../design/reasoned-button.tsx';
import { useFormat } from '../../../language/use-format.ts';
import { useWords } from '../../../language/use-words.ts';
import { obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { momentOf } from './saves-in-words.ts';
import { useFocusHeir } from './use-focus-heir.ts';

export interface RestoredCardProps {
  readonly server: GameServer;
  readonly saves: ServerSaves;
  /** When the restored backup was taken, or its name. */
  readonly backup: string;
  readonly onDecide: (action: 'undo' | 'confirm') => void;
}

/** A backup was restored, and the previous worlds still exist: the person keeps one of the two. */
export const RestoredCard = ({ server, saves, backup, onDecide }: RestoredCardProps) => {
  const words = useWords(savesWords);
  const format = useFormat();
  const obstacleText = useObstacleText();
  const part = useFocusHeir<HTMLDivElement>();
  const mayAct = useCan()('saves.write', server.id);
  const undoObstacle = obstacleTo('undo', saves);
  const taken = saves.list?.backups.find(({ name }) => name === backup)?.takenAt;
  return (
    <Card title={words.decide}>
      <Text>{words.decideText(taken === undefined ? backup : momentOf(taken, format))}</Text>
      <Group gap="xs" ref={part}>
        {mayAct && (
          <>
            <ReasonedButton
              variant="default"
              reason={obstacleText(obstacleTo('confirm', saves))}
              onClick={() => onDecide('confirm')}
            >
              {words.keep} …
            </ReasonedButton>
            <ReasonedButton
              variant="default"
              // The dialog itself explains how to stop the game.
              reason={undoObstacle === 'SAVES_GAME_RUNNING' ? null : obstacleText(undoObstacle)}
              onClick={() => onDecide('undo')}
            >
              {words.undo} …
            </ReasonedButton>
          </>
        )}
        <PanelLink to={`/servers/${encodeURIComponent(server.id)}`}>{words.toPower}</PanelLink>
      </Group>
    </Card>
  );
};
