import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { adminsHttp } from '#contracts/admins.ts';
import { Card } from '../../design/card.tsx';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { Facts } from '../../design/facts.tsx';
import { notifyDone, notifyTrouble } from '../../design/notify.ts';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { goTo } from '../../routing/use-hash-location.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { ResetPassword } from './reset-password.tsx';
import type { AdminCardProps } from './rights-card.tsx';
import { useAdminChange } from './use-admin-change.ts';

export const AccountCard = ({ admin, isOwn, mayChange }: AdminCardProps) => {
  const words = useWords(adminsWords);
  const [asking, setAsking] = useState<'reset' | 'disable' | 'remove' | null>(null);
  const { send, isSending } = useAdminChange();
  const remove = useChange(adminsHttp.remove, [adminsHttp.list]);
  const { id, name, disabled, totp, createdAt, lastSignInAt } = admin;
  const close = () => setAsking(null);
  const setDisabled = async (isDisabled: boolean) => {
    await send(id, { version: admin.version, disabled: isDisabled });
    notifyDone((isDisabled ? words.disabledNow : words.enabledNow)(name));
  };

  return (
    <Card title={words.account}>
      <Facts
        facts={[
          {
            label: words.state,
            value: (
              <StateLabel tone={disabled ? 'idle' : 'ok'}>
                {disabled ? words.disabled : words.active}
              </StateLabel>
            ),
          },
          {
            label: words.totp,
            value: <StateLabel tone={totp ? 'ok' : 'idle'}>{totp ? words.on : words.off}</StateLabel>,
          },
          {
            label: words.lastSignIn,
            value: lastSignInAt ? <TimeAgo at={lastSignInAt} /> : words.never,
          },
          { label: words.made, value: <TimeAgo at={createdAt} /> },
        ]}
      />
      {isOwn && (
        <Text size="sm">
          {words.ownPassword}{' '}
          <PanelLink to="/profile" underline="always">
            {words.toProfile}
          </PanelLink>
        </Text>
      )}
      {mayChange && (
        <Group gap="xs">
          {!isOwn && (
            <Button variant="default" onClick={() => setAsking('reset')}>
              {words.reset}
            </Button>
          )}
          {disabled ? (
            <Button
              variant="default"
              loading={isSending}
              onClick={() => void setDisabled(false).catch(notifyTrouble)}
            >
              {words.enable}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setAsking('disable')}>
              {words.disable}
            </Button>
          )}
          <Button variant="default" onClick={() => setAsking('remove')}>
            {words.remove}
          </Button>
        </Group>
      )}
      {asking === 'reset' && <ResetPassword admin={admin} onClose={close} />}
      {asking === 'disable' && (
        <ConfirmAction
          title={words.disableQuestion(name)}
          act={words.disable}
          onAction={() => setDisabled(true)}
          onClose={close}
        >
          {words.disableText}
        </ConfirmAction>
      )}
      {asking === 'remove' && (
        <ConfirmAction
          title={words.removeQuestion(name)}
          act={words.remove}
          onAction={async () => {
            await remove.mutateAsync({ params: { id } });
            notifyDone(words.removed(name));
            goTo('/admins');
          }}
          onClose={close}
        >
          {words.removeText}
        </ConfirmAction>
      )}
    </Card>
  );
};
