import { lacks } from '../programs.ts';
import { startRadosgw } from './radosgw.ts';
import { startSwift } from './swift.ts';

/** The S3 servers that Debian has. `missing`: it is not installed here. `conditions`: it honours `If-None-Match: *`. */
export const REAL_S3 = [
  {
    name: 'Swift',
    missing: lacks('swift-proxy-server', 'swift-object-server', 'swift-ring-builder', 'python3'),
    start: startSwift,
    conditions: false,
  },
  {
    name: 'radosgw',
    missing: lacks('ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'),
    start: startRadosgw,
    conditions: true,
  },
];
