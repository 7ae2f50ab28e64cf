// Preloaded into a gateway by a test: the name `replicas.test` stands for two addresses of this machine, and each
// connection gets one of them at random, whether anything listens there or not. So does a Service of Kubernetes until
// it has noticed that a pod is gone.
const dns = require('node:dns');

const addresses = ['127.0.0.1', '127.0.0.2'];
const { lookup } = dns;
dns.lookup = (name, options, callback) => {
  if (name !== 'replicas.test') return lookup(name, options, callback);
  const address = addresses[Math.floor(Math.random() * addresses.length)];
  process.nextTick(() =>
    options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4),
  );
};
