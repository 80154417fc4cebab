import { Route, Switch } from 'wouter';
import { ServerList } from '../../servers/server-list.tsx';
import { ServerPage } from './server-page.tsx';

export const Page = () => (
  <Switch>
    <Route path="/servers/:id/:tab?">
      {({ id, tab }) => <ServerPage key={id} id={id} tab={tab ?? 'overview'} />}
    </Route>
    <Route>
      <ServerList />
    </Route>
  </Switch>
);
