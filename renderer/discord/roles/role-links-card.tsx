import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { discordRolesHttp, type RolePreview, type RoleRule } from '#contracts/discord/discord-roles.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { isConflict } from '../../kit/api/api-problem.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { reasonsWords } from '../../kit/language/reasons.words.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { CardItem, CardItems, ItemActions } from '../discord-parts/card-items.tsx';
import { RoleLinkDialog } from './role-link-dialog.tsx';
import { roleLinksWords } from './role-links.words.ts';

/** The dry run: switching a rule on confirms what was shown here. */
const RoleLinkPreview = ({ rule, onClose }: { readonly rule: RoleRule; readonly onClose: () => void }) => {
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

/** Which roles depend on what members have here, and which whitelists depend on a role. */
export const RoleLinksCard = () => {
  const words = useWords(roleLinksWords);
  const can = useCan();
  const mayChange = can('settings.write') && can('members.read');
  const read = useRead(discordRolesHttp.list, {}, { everyMs: pollMs.live });
  const [isAdding, setIsAdding] = useState(false);
  const [previewed, setPreviewed] = useState<RoleRule | null>(null);
  return (
    <Card title={words.title}>
      <Text>{words.description}</Text>
      <AsyncContent read={read}>
        {({ rules, roles }) => (
          <CardItems
            words={words}
            items={rules}
            item={(rule) => (
              <RuleItem
                key={rule.id}
                rule={rule}
                mayChange={mayChange}
                onPreview={() => setPreviewed(rule)}
              />
            )}
            mayChange={mayChange}
            isBotHere={roles !== null}
            onAdd={() => setIsAdding(true)}
          >
            {isAdding && (
              <RoleLinkDialog
                roles={roles ?? []}
                onMade={(rule) => {
                  setIsAdding(false);
                  setPreviewed(rule);
                }}
                onClose={() => setIsAdding(false)}
              />
            )}
          </CardItems>
        )}
      </AsyncContent>
      {previewed && <RoleLinkPreview rule={previewed} onClose={() => setPreviewed(null)} />}
    </Card>
  );
};

const RuleItem = (props: {
  readonly rule: RoleRule;
  readonly mayChange: boolean;
  readonly onPreview: () => void;
}) => {
  const { rule, mayChange, onPreview } = props;
  const words = useWords(roleLinksWords);
  const reasons = useWords(reasonsWords);
  const disable = useChange(discordRolesHttp.disable, [discordRolesHttp.list]);
  const remove = useChange(discordRolesHttp.remove, [discordRolesHttp.list]);
  const params = { id: rule.id };
  const direction = rule.kind === 'whitelist' ? 'from-discord' : 'to-discord';
  return (
    <CardItem
      label={words.rule(rule.roleName)}
      head={
        <Group gap="xs">
          <Text fw={700}>
            <bdi>@{rule.roleName}</bdi>
          </Text>
          <Badge variant="default" tt="none" fw={500}>
            {words.direction[direction]}
          </Badge>
        </Group>
      }
      state={<RuleState rule={rule} />}
    >
      <RuleDoes rule={rule} />
      {rule.isEnabled && rule.obstacle !== null && (
        <Text size="sm" role="status">
          {reasons[rule.obstacle]}
        </Text>
      )}
      {rule.isEnabled && rule.obstacle === null && <RuleProgress rule={rule} />}
      {disable.error && <Trouble error={disable.error} />}
      {mayChange && (
        <ItemActions
          words={words}
          title={words.removeTitle(rule.roleName)}
          text={words.removeText[direction]}
          onRemove={() => remove.mutateAsync({ params })}
        >
          {rule.isEnabled ? (
            <Button
              size="xs"
              variant="default"
              loading={disable.isPending}
              onClick={() =>
                disable.mutate(
                  { params, body: {} },
                  { onSuccess: () => notifyDone(words.switchedOff[direction]) },
                )
              }
            >
              {words.switchOff}
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={onPreview}>
              {words.look}
            </Button>
          )}
        </ItemActions>
      )}
    </CardItem>
  );
};

const RuleState = ({ rule: { isEnabled, obstacle, failing } }: { readonly rule: RoleRule }) => {
  const words = useWords(roleLinksWords);
  if (!isEnabled) return <StateLabel tone="idle">{words.off}</StateLabel>;
  if (obstacle !== null) return <StateLabel tone="bad">{words.waits}</StateLabel>;
  return <StateLabel tone={failing > 0 ? 'warn' : 'ok'}>{words.on}</StateLabel>;
};

const RuleDoes = ({ rule }: { readonly rule: RoleRule }) => {
  const words = useWords(roleLinksWords);
  const { list, number } = useFormat();
  const enabled = useCan().somewhere('servers.read') && rule.serverIds.length > 0;
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  const names = rule.serverIds.map((id) => servers.find((server) => server.id === id)?.name ?? id);
  return (
    <Text size="sm">
      <bdi>{words.does[rule.kind](number(rule.amount ?? 0), list(names))}</bdi>
    </Text>
  );
};

const RuleProgress = ({ rule: { waiting, failing, fault } }: { readonly rule: RoleRule }) => {
  const words = useWords(roleLinksWords);
  return (
    <Text size="sm" c="dimmed" role="status">
      {waiting === null && words.looking}
      {waiting === 0 && words.inStep}
      {waiting !== null && waiting > failing && words.waiting(waiting - failing)}{' '}
      {failing > 0 && words.failing(failing)} {failing > 0 && fault !== null && <bdi>{fault}</bdi>}
    </Text>
  );
};
