import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type Season, type SeasonUndo, seasonsHttp } from '#contracts/store/seasons.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberLink } from '../member-link.tsx';
import { usePoints } from '../use-points.ts';
import { seasonsWords } from './seasons.words.ts';

interface UndoDialogProps {
  readonly season: Season;
  readonly onClose: () => void;
}

/** What undoing a season gives back and withdraws, or which members prevent it. */
export const UndoDialog = ({ season, onClose }: UndoDialogProps) => {
  const words = useWords(seasonsWords);
  const { points } = usePoints();
  const params = { id: season.id };
  const read = useRead(seasonsHttp.previewUndo, { params });
  const undo = useChange(seasonsHttp.undo, [seasonsHttp.read, seasonsHttp.list, seasonsHttp.previewUndo]);
  const found = read.data;
  const isPossible = found?.isPossible === true;
  return (
    <FormDialog
      title={words.undoTitle(season.name)}
      act={found && !isPossible ? null : words.undo}
      isActing={undo.isPending}
      isDestructive
      isReady={isPossible && !read.isFetching}
      error={undo.error}
      {...(found && !isPossible && { leave: words.close })}
      beginsAtLeave
      onSubmit={() =>
        undo.mutate(
          { params },
          {
            onSuccess: () => {
              notifyDone(words.undoing(season.name));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {read.error && <Trouble error={read.error} onRetry={() => read.refetch()} />}
      {!found && !read.error && <Loading rows={2} />}
      {found && isPossible && (
        <Text>{words.undoText(found.pieces, found.members, points(found.points))}</Text>
      )}
      {found && !isPossible && <Hindrances found={found} />}
    </FormDialog>
  );
};

const Hindrances = ({ found: { obstacle, hindered, hindrances } }: { readonly found: SeasonUndo }) => {
  const words = useWords(seasonsWords);
  const left = hindered - hindrances.length;
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.cannotUndo}
    >
      {obstacle !== null && <Text size="sm">{words.obstacles[obstacle]}</Text>}
      {hindered > 0 && (
        <>
          <Text size="sm">{words.hinderedMembers(hindered)}</Text>
          <List
            size="sm"
            mah={220}
            style={{ overflowY: 'auto' }}
            tabIndex={hindrances.length > 8 ? 0 : undefined}
          >
            {hindrances.map(({ memberId, memberName, why }) => (
              <List.Item key={memberId}>
                <MemberLink id={memberId} name={memberName} /> {words.hindrances[why]}
              </List.Item>
            ))}
            {left > 0 && <List.Item>{words.more(left)}</List.Item>}
          </List>
        </>
      )}
    </Alert>
  );
};
