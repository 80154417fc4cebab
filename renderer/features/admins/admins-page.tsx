import { Route, Switch } from 'wouter';
import { AdminPage } from './admin-page.tsx';
import { AdminsList } from './admins-list.tsx';

export const Page = () => (
  <Switch>
    <Route path="/admins">
      <AdminsList />
    </Route>
    <Route path="/admins/:id">{({ id }) => <AdminPage key={id} id={id} />}</Route>
  </Switch>
);
