type Value = string | number;

/**
 * Why an address of the internet cannot be reached: sentences of `reasons`, which gives each its code. `host` is what was asked,
 * `proxy` what is on the way to it, without a password.
 */
export const outsideReasons = {
  'outside-offline': (host: Value) =>
    `This computer is not connected to a network, so ${host} cannot be reached.`,
  'outside-name-unknown': (host: Value) =>
    `The name ${host} was not found. Check its spelling, and the DNS server of this network.`,
  'outside-name-silent': (host: Value) =>
    `No DNS server answered the question where ${host} is. Check whether this computer is online.`,
  'outside-no-route': (host: Value) =>
    `There is no route to ${host}. Check the network, the VPN and the firewall.`,
  'outside-refused': (host: Value) =>
    `Nothing accepts connections at ${host}. A firewall may reject them, or the service is down.`,
  'outside-timeout': (host: Value) =>
    `No answer came from ${host} in time. A firewall may drop the connection, or this network needs a proxy.`,
  'outside-reset': (host: Value) =>
    `The connection to ${host} was cut. A firewall, an antivirus or a proxy may do this.`,
  'outside-broken': (host: Value, code: Value) => `The connection to ${host} broke (${code}).`,
  'outside-no-tls': (host: Value, code: Value) =>
    `What answers at ${host} does not speak TLS as it should (${code}). Check the address, and whether a firewall or an antivirus changes the connection.`,
  'outside-intercepted': (host: Value, issuer: Value) =>
    `The certificate of ${host} is signed by “${issuer}”, which this computer does not trust. If that is an antivirus or your company's proxy, install its root certificate in the system, or name its file in TRUSTED_CA_FILE, and start Castellan again.`,
  'outside-self-signed': (host: Value, name: Value) =>
    `The certificate of ${host} is signed by itself (“${name}”). If that is intended, name its file in TRUSTED_CA_FILE and start Castellan again; otherwise something else answers there.`,
  'outside-chain': (host: Value, issuer: Value) =>
    `The certificate of ${host} comes without that of “${issuer}”, which signed it and which this computer does not know. The owner of that server has to install the whole chain.`,
  'outside-expired': (host: Value, end: Value, now: Value) =>
    `A certificate of ${host} expired on ${end}, and this computer's clock says ${now}. If the clock is right, the server needs a new one.`,
  'outside-not-yet-valid': (host: Value, start: Value, now: Value) =>
    `A certificate of ${host} is valid from ${start}, and this computer's clock says ${now}. Set the clock.`,
  'outside-other-name': (host: Value, names: Value) =>
    `What answers at ${host} shows the certificate of ${names}. The sign-in page of a network, or another server, answers there.`,
  'outside-certificate': (host: Value, code: Value) =>
    `The certificate of ${host} is not accepted (${code}).`,
  'outside-page': (host: Value) =>
    `A web page came instead of the answer of ${host}: the sign-in page of this network, or a filter that blocks the address. Open the address in a browser to see it.`,
  'outside-strange': (host: Value, status: Value) =>
    `What answers at ${host} is not what Castellan looks for there (HTTP ${status}). Check the address, and whether a filter of this network answers in its place.`,
  'outside-trouble': (host: Value, status: Value) =>
    `${host} is reached, but reports a fault (HTTP ${status}). Try again later.`,
  'outside-no-websocket': (host: Value, status: Value) =>
    `${host} is reached, but nothing lets a WebSocket through to it (HTTP ${status}). Have it allowed in the proxy, the firewall or the antivirus.`,
  'proxy-unspoken': (setting: Value, scheme: Value) =>
    `${setting} is not used: Castellan does not speak ${scheme} to a proxy. Name an HTTP proxy there, such as http://proxy.example:8080, or remove it.`,
  'proxy-unreadable': (setting: Value) =>
    `${setting} is not used: it is not the address of an HTTP proxy, such as http://proxy.example:8080. Correct it, or remove it.`,
  'authorities-unused': (fileAndWhy: Value) =>
    `TRUSTED_CA_FILE is not used: ${fileAndWhy}. Correct that, and start Castellan again.`,
  'proxy-unknown': (proxy: Value) =>
    `The name of the proxy ${proxy} was not found. Check its address in the settings.`,
  'proxy-away': (proxy: Value, code: Value) =>
    `The proxy ${proxy} cannot be reached (${code}). Check its address in the settings.`,
  'proxy-silent': (proxy: Value, host: Value) => `The proxy ${proxy} did not open a way to ${host} in time.`,
  'proxy-sign-in': (proxy: Value) =>
    `The proxy ${proxy} asks for a name and a password (407). Write them into its address, as in http://name:password@host:port.`,
  'proxy-sign-in-refused': (proxy: Value) =>
    `The proxy ${proxy} does not accept the name and the password (407). Check those in its address.`,
  'proxy-sign-in-unsupported': (proxy: Value, schemes: Value) =>
    `The proxy ${proxy} demands a sign-in by ${schemes} (407), which Castellan cannot do. Have Castellan's addresses exempted from the sign-in, or run a small proxy on this computer that signs in for it, such as Px or Cntlm.`,
  'proxy-forbids': (proxy: Value, host: Value, status: Value) =>
    `The proxy ${proxy} does not let Castellan through to ${host} (HTTP ${status}). Have the address allowed there.`,
  'proxy-page': (proxy: Value, host: Value) =>
    `The proxy ${proxy} answers with a web page instead of a way to ${host}: it blocks the address, or demands a sign-in in the browser.`,
  'proxy-odd': (proxy: Value, code: Value) =>
    `What answers at ${proxy} is not an HTTP proxy (${code}). Check its address in the settings.`,
} as const;
