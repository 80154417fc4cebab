import { Alert } from '@mantine/core';
import { Route, Switch } from 'wouter';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { AccountCard } from './account-card.tsx';
import { AdminSessions } from './admin-sessions.tsx';
import { adminsWords } from './admins.words.ts';
import { AdminsList } from './admins-list.tsx';
import { RightsCard } from './rights-card.tsx';
import { isWithinMine } from './within-mine.ts';

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

const everyMs = 30_000;

const AdminPage = ({ id }: { readonly id: string }) => {
  const words = useWords(adminsWords);
  const admins = useRead(adminsHttp.list, {}, { everyMs });
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
