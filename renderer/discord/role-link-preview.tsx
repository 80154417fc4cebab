import { Alert, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { discordRolesHttp, type RolePreview, type RoleRule } from '#contracts/discord/discord-roles.ts';
import { isConflict } from '../kit/api/api-problem.ts';
import { useChange, useRead } from '../kit/api/queries.ts';
import { FormDialog } from '../kit/design/form-dialog.tsx';
import { Loading } from '../kit/design/loading.tsx';
import { notifyDone } from '../kit/design/notify.ts';
import { Trouble } from '../kit/design/trouble.tsx';
import { reasonsWords } from '../kit/language/reasons.words.ts';
import { useWords } from '../kit/language/use-words.ts';
import { roleLinksWords } from './role-links.words.ts';

interface RoleLinkPreviewProps {
  readonly rule: RoleRule;
  readonly onClose: () => void;
}

/** The dry run: switching a rule on confirms what was shown here. */
export const RoleLinkPreview = ({ rule, onClose }: RoleLinkPreviewProps) => {
  const words = useWords(roleLinksWords);
  const reasons = useWords(reasonsWords);
  const [hasChanged, setHasChanged] = useState(false);
  const read = useRead(discordRolesHttp.preview, { params: { id: rule.id }, body: {} });
  const enable = useChange(discordRolesHttp.enable, [discordRolesHttp.list]);
  const preview = read.data;
  const switchOn = () => {
    if (!preview) return;
    const { version, previewId } = preview;
    enable.mutate(
      { params: { id: rule.id }, body: { version, previewId } },
      {
        onSuccess: () => {
          notifyDone(words.switchedOn);
          onClose();
        },
        onError(error) {
          if (!isConflict(error)) return;
          setHasChanged(true);
          void read.refetch();
        },
      },
    );
  };
  return (
    <FormDialog
      title={words.previewTitle(rule.roleName)}
      size="lg"
      act={words.switchOn}
      leave={words.notNow}
      isActing={enable.isPending}
      isReady={preview !== undefined && preview.obstacle === null && !read.isFetching}
      error={isConflict(enable.error) ? null : enable.error}
      onSubmit={switchOn}
      onClose={onClose}
    >
      {hasChanged && (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          role="alert"
        >
          {words.changed}
        </Alert>
      )}
      {read.error && <Trouble error={read.error} onRetry={() => read.refetch()} />}
      {!preview && !read.error && <Loading rows={3} />}
      {preview && preview.obstacle !== null && (
        <Alert color="var(--tone-warn)" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
          {reasons[preview.obstacle]}
        </Alert>
      )}
      {preview && preview.obstacle === null && (
        <Effect preview={preview} isWhitelist={rule.kind === 'whitelist'} />
      )}
    </FormDialog>
  );
};

const Effect = ({
  preview: { gains, losses },
  isWhitelist,
}: {
  readonly preview: RolePreview;
  readonly isWhitelist: boolean;
}) => {
  const words = useWords(roleLinksWords);
  return (
    <Stack gap="sm">
      {gains.count === 0 && losses.count === 0 && <Text>{words.nothing}</Text>}
      {losses.count > 0 && (
        <Alert color="var(--tone-warn)" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
          <Names side={losses} title={(isWhitelist ? words.unlisted : words.losses)(losses.count)} />
          {!isWhitelist && <Text size="sm">{words.byHand}</Text>}
        </Alert>
      )}
      {gains.count > 0 && (
        <Names side={gains} title={(isWhitelist ? words.listed : words.gains)(gains.count)} />
      )}
      <Text size="sm" c="dimmed">
        {isWhitelist ? words.afterwardsWhitelist : words.afterwards}
      </Text>
    </Stack>
  );
};

const Names = ({ side, title }: { readonly side: RolePreview['gains']; readonly title: string }) => {
  const words = useWords(roleLinksWords);
  const left = side.count - side.names.length;
  return (
    <section aria-label={title}>
      <Text fw={600}>{title}</Text>
      <List
        size="sm"
        mah={200}
        style={{ overflowY: 'auto' }}
        tabIndex={side.names.length > 8 ? 0 : undefined}
      >
        {side.names.map((name, index) => (
          // Two may have the same name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes in place
          <List.Item key={index}>
            <bdi>{name}</bdi>
          </List.Item>
        ))}
        {left > 0 && <List.Item>{words.more(left)}</List.Item>}
      </List>
    </section>
  );
};
