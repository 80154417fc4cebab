import type { CustomerSession } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Badge, Card, Facts, Moment } from '../pages/display.tsx';
import { Form } from '../pages/form.tsx';
import { AccountPage } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';
import { deviceName } from './device-name.ts';

export interface SessionsPageProps {
  readonly customer: Customer;
  readonly sessions: readonly CustomerSession[];
}

export const SessionsPage = ({ customer, sessions }: SessionsPageProps) => (
  <AccountPage title="Sessions" customer={customer} current="sessions">
    <p>Where you are signed in. If one of these is not yours, sign out everywhere.</p>
    <ul className="cards">
      {sessions.map((session) => (
        <li key={session.id} className="card">
          <div className="row apart">
            <h2>{deviceName(session.userAgent)}</h2>
            <span className="row">
              <Badge>{session.kind === 'browser' ? 'Browser' : 'Program'}</Badge>
              {session.current && <Badge tone="good">This one</Badge>}
            </span>
          </div>
          <Facts
            facts={{
              Address: <code>{session.address}</code>,
              'Signed in': <Moment at={session.createdAt} />,
              'Last used': <Moment at={session.lastUsedAt} />,
            }}
          />
        </li>
      ))}
    </ul>
    <Card title="Sign out everywhere">
      <p>Ends every session in browsers and programs, this one too, and voids codes that are on their way.</p>
      <Form
        action={`${accountRoot}/sessions/end-all`}
        csrf={csrfTokenOf(customer.token)}
        submit="Sign out everywhere"
        tone="danger"
      />
    </Card>
  </AccountPage>
);
