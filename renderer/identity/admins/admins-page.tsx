import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Route, Switch } from 'wouter';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { goTo } from '../../kit/routing/use-hash-location.ts';
import { AdminSessions } from './admin-sessions.tsx';
import { adminsWords } from './admins.words.ts';
import { AdminsList } from './admins-list.tsx';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { type AdminCardProps, RightsCard } from './rights-card.tsx';
import { suggestedPassword } from './suggested-password.ts';
import { useAdminChange } from './use-admin-change.ts';
import { isWithinMine } from './within-mine.ts';

const ResetPassword = ({ admin, onClose }: { readonly admin: Admin; readonly onClose: () => void }) => {
  const words = useWords(adminsWords);
  const [password, setPassword] = useState(suggestedPassword);
  const [isClearing, setIsClearing] = useState(false);
  const [keepApiKeys, setKeepApiKeys] = useState(false);
  const reset = useChange(adminsHttp.resetPassword, [adminsHttp.list, adminsHttp.sessions]);
  useReturnFocus();

  if (reset.data)
    return (
      <CredentialsDialog
        title={words.credentials.reset(admin.name)}
        name={admin.name}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={
        <>
          {words.reset}: <bdi>{admin.name}</bdi>
        </>
      }
      act={words.reset}
      isActing={reset.isPending}
      onSubmit={() =>
        reset.mutate({ params: { id: admin.id }, body: { password, clearTotp: isClearing, keepApiKeys } })
      }
      error={reset.error}
      // If the page were left in between, no one could hand over the password.
      staysWhileActing
      onClose={onClose}
    >
      <Text>{words.resetText}</Text>
      <PasswordField value={password} onChange={setPassword} />
      {admin.totp && (
        <Checkbox
          label={words.clearTotp}
          description={words.clearTotpAbout}
          checked={isClearing}
          onChange={({ currentTarget }) => setIsClearing(currentTarget.checked)}
        />
      )}
      <Checkbox
        label={words.keepApiKeys}
        description={words.keepApiKeysAbout}
        checked={keepApiKeys}
        onChange={({ currentTarget }) => setKeepApiKeys(currentTarget.checked)}
      />
    </FormDialog>
  );
};

const AccountCard = ({ admin, isOwn, mayChange }: AdminCardProps) => {
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

const AdminCards = ({ admin }: { readonly admin: Admin }) => {
  const words = useWords(adminsWords);
  const can = useCan();
  const me = useMe();
  const roles = useRead(rolesHttp.list, {});
  const isWriter = can('admins.write');
  // Until the roles are loaded, no one knows; actions that would be refused are not offered.
  const isWithin = roles.data !== undefined && isWithinMine(can, admin, roles.data.rows);
  const mayChange = isWriter && isWithin;
  const isOwn = admin.id === me.id;
  return (
    <>
      {!isWriter && (
        <Alert color="gray" variant="outline">
          {words.readOnly}
        </Alert>
      )}
      {isWriter && roles.data && !isWithin && (
        <Alert color="gray" variant="outline">
          {words.beyondYou}
        </Alert>
      )}
      <RightsCard admin={admin} isOwn={isOwn} mayChange={mayChange} />
      <AccountCard admin={admin} isOwn={isOwn} mayChange={mayChange} />
      <AdminSessions admin={admin} isOwn={isOwn} mayChange={mayChange} />
    </>
  );
};

const AdminPage = ({ id }: { readonly id: string }) => {
  const words = useWords(adminsWords);
  const admins = useRead(adminsHttp.list, {}, { everyMs: pollMs.seldom });
  const admin = admins.data?.rows.find((each) => each.id === id);
  return (
    <Frame title={admin?.name ?? words.title} description={<PanelLink to="/admins">{words.all}</PanelLink>}>
      <AsyncContent read={admins}>
        {() =>
          admin ? (
            <Together>
              <AdminCards admin={admin} />
            </Together>
          ) : (
            <EmptyState title={words.notFound} text={words.notFoundText} />
          )
        }
      </AsyncContent>
    </Frame>
  );
};

export const Page = () => (
  <Switch>
    <Route path="/admins">
      <AdminsList />
    </Route>
    <Route path="/admins/:id">{({ id }) => <AdminPage key={id} id={id} />}</Route>
  </Switch>
);
