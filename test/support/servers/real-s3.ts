import { lacks } from '../programs.ts';
import { startRadosgw } from './radosgw.ts';
import { startSwift } from './swift.ts';

/**
 * The S3 servers that Debian has. `missing`: it is not installed here. `conditions`: what it does with `If-None-Match: *`. `namesKeys`: it says what
 * is wrong with keys. `rules`: buckets can expire objects and keep versions.
 */
export const REAL_S3 = [
  {
    name: 'Swift',
    missing: lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3'),
    start: startSwift,
    conditions: 'refused',
    namesKeys: false,
    rules: false,
  },
  {
    name: 'radosgw',
    missing: lacks('ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'),
    start: startRadosgw,
    conditions: 'honoured',
    namesKeys: true,
    rules: true,
  },
];
