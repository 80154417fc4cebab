import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where what is said in passing is shown. */
export const PassingNotices = () => <Notifications position="bottom-right" />;
